/** The page's address: `#slide=15&property=mute&part=1&group=office-7`. */

export interface Link {
  slide?: number;
  property?: string;
  part?: number;
  group?: string;
}

export function readLink(hash: string): Link {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string): number | undefined => {
    const value = Number.parseInt(fields.get(name) ?? "", 10);
    return Number.isFinite(value) ? value : undefined;
  };
  return {
    slide: number("slide"),
    property: fields.get("property") ?? undefined,
    part: number("part"),
    group: fields.get("group") ?? undefined,
  };
}

export function writeLink(link: Link): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(link)) {
    if (value !== undefined && value !== "") fields.set(name, String(value));
  }
  return `#${fields.toString()}`;
}
