/** The field in which a group is searched and chosen. */

import { element } from "./dom";
import { choose, type Source } from "./source";

const MOST_SUGGESTED = 50;

export class GroupPicker {
  readonly root: HTMLElement;
  private field = element("input", {
    type: "search",
    list: "groups",
    "aria-label": "Group",
    placeholder: "find a group",
    autocomplete: "off",
  });
  private options = element("datalist", { id: "groups" });
  private group = "";

  /** `pick` is given the group that was chosen; undefined if none has such a name. */
  constructor(
    private source: Source,
    private pick: (group: string | undefined) => void,
  ) {
    this.root = element("label", { class: "group", hidden: true }, "group ", this.field, this.options);
    this.field.addEventListener("input", () => void this.suggest());
    this.field.addEventListener("focus", () => void this.suggest());
    this.field.addEventListener("change", () => void this.take());
  }

  /** Shows the group that is open; nothing as long as there are no groups to choose from. */
  show(group: string): void {
    this.group = group;
    this.field.value = group;
    void this.source
      .groups("")
      .then((names) => {
        this.root.hidden = names.length < 2 && !names.some((name) => name !== "");
      })
      .catch(() => {});
  }

  private async suggest(): Promise<void> {
    const names = await this.source.groups(this.field.value === this.group ? "" : this.field.value);
    const options = names.slice(0, MOST_SUGGESTED).map((value) => element("option", { value }));
    this.options.replaceChildren(...options);
  }

  private async take(): Promise<void> {
    const typed = this.field.value; // it may change while the names come
    this.pick(choose(await this.source.groups(typed), typed));
  }
}
