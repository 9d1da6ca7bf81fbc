import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Writes a digest of the sources into the bundle, so that a test can tell, without Node, that both belong together. */
function sourceDigest(): Plugin {
  return {
    name: "source-digest",
    generateBundle(_, bundle) {
      const hash = createHash("sha256");
      const sources = readdirSync("src").map((name) => `src/${name}`);
      for (const path of ["package-lock.json", "vite.config.ts", ...sources].sort()) {
        hash.update(`${path}\n`).update(readFileSync(path));
      }
      const mark = `/* The page of latwin's explorer, built from explorer/; sources ${hash.digest("hex").slice(0, 16)} */\n`;
      for (const file of Object.values(bundle)) if (file.type === "chunk") file.code = mark + file.code;
    },
  };
}

export default defineConfig({
  plugins: [sourceDigest()],
  build: {
    target: "es2022",
    outDir: "../src/latwin/explorer/static",
    emptyOutDir: true,
    reportCompressedSize: false,
    lib: { entry: "src/main.ts", formats: ["es"], fileName: () => "explorer.js", cssFileName: "explorer" },
  },
});
