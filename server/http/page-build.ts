/** Page build: reads what `npm run build` has written below dist/, once, when the server starts. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import type { RenderPage } from '#contract/page.ts'
import type { PageAsset } from '../store/page/page-asset-hmac.ts'
import type { ConsoleBuild } from './console/console-build.ts'
import { StyleTable } from './critical-css.ts'

/** Where the files of the page are, in their addresses. */
export const ASSET_FOLDER = '/assets/'

/** The built page: what a document needs to name, and the files it then asks for. */
export interface PageBuild {
  readonly render: RenderPage
  readonly entry: string
  /** Scripts that every visit needs, to be fetched before the entry asks for them. */
  preloads(locale: PageLocale): readonly string[]
  /** The script of every screen but the card form. */
  readonly lazyParts: string
  /** sha384 of every script by its address: a script that was tampered with does not run. */
  readonly integrity: Readonly<Record<string, string>>
  readonly style: StyleTable
  readonly watchdogScript: string
  readonly preHydrationScript: string
  readonly favicon: string
  readonly console: ConsoleBuild
  /** Those of the console too. */
  readonly assets: ReadonlyMap<string, PageAsset>
}

const Manifest = Type.Record(
  Type.String(),
  Type.Object({
    file: Type.String(),
    imports: Type.Optional(Type.Array(Type.String())),
  }),
)

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

const DIST = new URL('../../dist/', import.meta.url)

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(new URL(file, DIST), 'utf8'))

const readAssets = async (folder: URL, prefix: string): Promise<Map<string, PageAsset>> => {
  const assets = new Map<string, PageAsset>()
  const names = new Set(await readdir(folder))
  const read = (name: string): Promise<Buffer> => readFile(new URL(name, folder))
  for (const name of names) {
    const mediaType = MEDIA_TYPES[extname(name)]
    if (mediaType === undefined) continue
    const compressed = {
      ...(names.has(`${name}.br`) ? { br: await read(`${name}.br`) } : {}),
      ...(names.has(`${name}.gz`) ? { gzip: await read(`${name}.gz`) } : {}),
    }
    assets.set(prefix + name, { bytes: await read(name), mediaType, compressed })
  }
  return assets
}

const hasRender = (module: unknown): module is { render: RenderPage } =>
  typeof module === 'object' && module !== null && 'render' in module && typeof module.render === 'function'

interface BuiltFiles {
  readonly manifest: Static<typeof Manifest>
  fileOf(source: string): string
  readonly assets: ReadonlyMap<string, PageAsset>
  /** sha384 of every script by its address. */
  readonly integrity: Readonly<Record<string, string>>
}

const readBuiltFiles = async (mode: 'client' | 'console'): Promise<BuiltFiles> => {
  const manifest = await readJson(`${mode}/.vite/manifest.json`)
  if (!Check(Manifest, manifest)) throw new Error(`the manifest of dist/${mode} is broken: run npm run build`)
  const assets = await readAssets(new URL(`${mode}/assets/`, DIST), ASSET_FOLDER)
  const scripts = [...assets].filter(([address]) => address.endsWith('.js'))
  return {
    manifest,
    fileOf: (source) => {
      const file = manifest[source]?.file
      if (file === undefined) throw new Error(`dist/${mode} lacks ${source}: run npm run build`)
      return `/${file}`
    },
    assets,
    integrity: Object.fromEntries(
      scripts.map(([address, { bytes }]) => [address, `sha384-${createHash('sha384').update(bytes).digest('base64')}`]),
    ),
  }
}

const CONSOLE_ENTRY = 'console/main.tsx'

/** What a script imports, and what that imports: the browser would find each only when the one before has arrived. */
const importedBy = (manifest: BuiltFiles['manifest'], source: string, found = new Set<string>()): Set<string> => {
  for (const each of manifest[source]?.imports ?? []) {
    if (found.has(each)) continue
    found.add(each)
    importedBy(manifest, each, found)
  }
  return found
}

const consoleBuildOf = ({ manifest, fileOf, integrity }: BuiltFiles): ConsoleBuild => ({
  entry: fileOf(CONSOLE_ENTRY),
  preloads: [...importedBy(manifest, CONSOLE_ENTRY)].map(fileOf),
  style: fileOf('style.css'),
  integrity,
})

export const readPageBuild = async (): Promise<PageBuild> => {
  const [{ manifest, fileOf, assets, integrity }, ofConsole] = [
    await readBuiltFiles('client'),
    await readBuiltFiles('console'),
  ]
  const style = await readJson('client/style-table.json')
  if (!Check(StyleTable, style)) throw new Error('the style table of the page build is broken: run npm run build')
  const module: unknown = await import(pathToFileURL(fileURLToPath(new URL('server/render.js', DIST))).href)
  if (!hasRender(module)) throw new Error('the page build has no renderer: run npm run build')
  const shared = (manifest['page/main.tsx']?.imports ?? []).map(fileOf)
  const preloads = (locale: PageLocale): string[] => [...shared, fileOf(`page/words/${locale}.ts`)]
  // A language without its file stops the start of the server, and not a shopper's page.
  PAGE_LOCALES.forEach(preloads)
  return {
    render: module.render,
    entry: fileOf('page/main.tsx'),
    preloads,
    lazyParts: fileOf('page/lazy-parts.tsx'),
    integrity,
    style,
    watchdogScript: (await readFile(new URL('watchdog/watchdog.js', DIST), 'utf8')).trim(),
    preHydrationScript: (await readFile(new URL('pre-hydration/pre-hydration.js', DIST), 'utf8')).trim(),
    favicon: fileOf('page/art/favicon.svg'),
    console: consoleBuildOf(ofConsole),
    assets: new Map([...assets, ...ofConsole.assets]),
  }
}
