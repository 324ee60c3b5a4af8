/** Vite builds: one mode for each thing that is built of the page and the console (`npm run build` runs the first five). */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { MARKED_KEYS } from './page/words/marked-keys.ts'
import { markWords } from './tools/build/mark-words.ts'
import { reactAria } from './tools/build/react-aria.ts'
import { writeStyleTable } from './tools/build/style-table.ts'

/** The oldest supported browsers, as in docs/browsers.md. */
const OLDEST_BROWSERS = ['safari15.4', 'chrome109', 'firefox115']

/** Browsers of the last two years, as in docs/browsers.md: a person of a shop chooses the browser, a shopper does not. */
const CONSOLE_BROWSERS = ['safari18.1', 'chrome131', 'firefox132']

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const classNames = new Map<string, string>()

/** Class names of a few letters: they stand in the style, in the scripts and in every document. The same in every build. */
const shortClassName =
  (letters: number) =>
  (name: string, file: string): string => {
    const owner = `${basename(file)} ${name}`
    const hash = createHash('sha256').update(owner).digest()
    const short = Array.from({ length: letters }, (_, at) => LETTERS[hash.readUInt32LE(at * 4) % LETTERS.length]).join(
      '',
    )
    const other = classNames.get(short) ?? owner
    if (other !== owner)
      throw new Error(`the classes ${owner} and ${other} are both called ${short}: rename one of them`)
    classNames.set(short, owner)
    return short
  }
const css = { modules: { generateScopedName: shortClassName(3) } }

/** V8 reads this hint only as the first line of a script: it then compiles the script in parallel while it arrives. */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad'

/**
 * Vite makes every `import()` first load the style sheets of its chunk. All style is in the document already, so the call is
 * only a call: 1.9 kB less are read before Pay works. `define` below removes the list of style sheets.
 */
const importsWithoutStyleSheets: Plugin = {
  name: 'imports-without-style-sheets',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
}

/**
 * What the browser loads: hashed files, nothing inlined (a data: URL would need a wider policy). The style of the card form is
 * a file apart from that of all else: every document holds both, and the first paint of the form needs one.
 */
const client: UserConfig = {
  plugins: [importsWithoutStyleSheets, markWords(MARKED_KEYS), react(), writeStyleTable],
  css,
  define: { __VITE_PRELOAD__: 'undefined' },
  build: {
    outDir: 'dist/client',
    manifest: true,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: false,
    target: OLDEST_BROWSERS,
    // A percent fewer bytes than the bundler's own minifier, in the script that Pay waits for.
    minify: 'terser',
    // `inline: 1`: bodies of functions that are put in place of their calls compress worse than the calls.
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 5, keep_fargs: false, inline: 1 },
    },
    // That the minifier takes most of the build's time is known.
    rolldownOptions: {
      input: 'page/main.tsx',
      output: { postBanner: ({ isEntry }) => (isEntry ? COMPILE_HINT : '') },
      checks: { bundlerTimings: false },
    },
  },
}

/** The same page as one module that the server draws documents with, and that tells what it has drawn. */
const server: UserConfig = {
  plugins: [markWords(MARKED_KEYS), react({ jsxImportSource: 'recorded-jsx' })],
  resolve: { alias: { 'recorded-jsx/jsx-runtime': '/page/recorded-jsx.ts' } },
  css,
  build: {
    outDir: 'dist/server',
    ssr: 'page/render.tsx',
    ssrEmitAssets: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    target: 'node24',
    rolldownOptions: { output: { entryFileNames: 'render.js' } },
  },
  ssr: { noExternal: true },
}

/** The console: one entry, a script a screen. Nobody has drawn it before: its style is a file that the document names. */
const consoleApp: UserConfig = {
  plugins: [...reactAria, react()],
  // Its files are many more than the page's: with three letters two of their classes would soon have one name.
  css: { modules: { generateScopedName: shortClassName(6) } },
  build: {
    outDir: 'dist/console',
    manifest: true,
    assetsInlineLimit: 0,
    // One file: which of two rules comes later must not hang on the screen that was opened first.
    cssCodeSplit: false,
    modulePreload: false,
    target: CONSOLE_BROWSERS,
    // proof/whole-server/page-budgets.test.ts holds its limit.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: { console: 'console/main.tsx' },
      // Servers of other releases look a file up by its name, which holds one dot (`isAssetName`).
      output: { chunkFileNames: ({ name }) => `assets/${name.replaceAll('.', '-')}-[hash].js` },
      checks: { bundlerTimings: false },
    },
  },
}

/** A script that stands in the document itself. */
const inlineScript = (name: string, entry: string): UserConfig => ({
  build: {
    outDir: `dist/${name}`,
    target: OLDEST_BROWSERS,
    lib: { entry, formats: ['iife'], name: 'inline', fileName: () => `${name}.js` },
  },
})

/** The page's data fetching without the page, for the journey that watches its defaults. */
const fetching: UserConfig = {
  build: {
    outDir: 'dist/fetching',
    lib: {
      entry: 'page/testing/query-client-harness.ts',
      formats: ['iife'],
      name: 'fetching',
      fileName: () => 'fetching.js',
    },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
}

/** Every screen in every state, for the test that measures their lines. It names the same classes as the page. */
const screens: UserConfig = {
  plugins: [markWords(MARKED_KEYS), react()],
  css,
  build: {
    outDir: 'dist/screens',
    ssr: 'page/testing/draw-screens.tsx',
    ssrEmitAssets: false,
    cssCodeSplit: false,
    rolldownOptions: { checks: { bundlerTimings: false, ineffectiveDynamicImport: false } },
  },
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
}

const MODES: Readonly<Record<string, UserConfig>> = {
  client,
  server,
  console: consoleApp,
  watchdog: inlineScript('watchdog', 'page/watchdog.ts'),
  'pre-hydration': inlineScript('pre-hydration', 'page/card/pre-hydration.ts'),
  fetching,
  screens,
}

export default defineConfig(({ mode }) => {
  const config = MODES[mode]
  if (config === undefined) throw new Error(`vite build --mode takes one of ${Object.keys(MODES).join(', ')}`)
  return { ...config, logLevel: 'warn' }
})
