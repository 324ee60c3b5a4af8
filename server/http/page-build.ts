/** Built page: what a document names, and the assets it asks for. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { PageLocale } from '#contract/locale.ts'
import type { RenderPage } from '#contract/page.ts'
import type { Encoding } from './compression.ts'
import { parseStyleSheet, type StyleSheet } from './critical-css.ts'

export interface Asset {
  readonly bytes: Buffer
  readonly mediaType: string
  /** The same bytes as the build has compressed them; pictures of pixels are not compressed again. */
  readonly compressed: Readonly<Partial<Record<Encoding, Buffer>>>
}

/** The built page: what a document needs to name, and the files it then asks for. */
export interface PageBuild {
  readonly render: RenderPage
  readonly entry: string
  /** Scripts that every visit needs, to be fetched before the entry asks for them. */
  readonly preloads: Readonly<Record<PageLocale, readonly string[]>>
  /** The script of every screen but the card form. */
  readonly lazyParts: string
  /** sha384 of every script by its address: a script that was tampered with does not run. */
  readonly integrity: Readonly<Record<string, string>>
  /** The style of what every document begins with and of the card form, the style of all that comes later, and the rules of both. */
  readonly css: { readonly first: string; readonly later: string; readonly rules: StyleSheet }
  readonly watchdogScript: string
  readonly preHydrationScript: string
  readonly favicon: string
  readonly assets: ReadonlyMap<string, Asset>
}

const Manifest = Type.Record(
  Type.String(),
  Type.Object({
    file: Type.String(),
    imports: Type.Optional(Type.Array(Type.String())),
    css: Type.Optional(Type.Array(Type.String())),
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

const readAssets = async (folder: URL, prefix: string): Promise<Map<string, Asset>> => {
  const assets = new Map<string, Asset>()
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

export const readPageBuild = async (): Promise<PageBuild> => {
  const manifest: unknown = JSON.parse(await readFile(new URL('client/.vite/manifest.json', DIST), 'utf8'))
  if (!Check(Manifest, manifest)) throw new Error('the page build is broken: run npm run build')
  const fileOf = (source: string): string => {
    const file = manifest[source]?.file
    if (file === undefined) throw new Error(`the page build lacks ${source}: run npm run build`)
    return `/${file}`
  }
  const assets = await readAssets(new URL('client/assets/', DIST), '/assets/')
  const scripts = [...assets].filter(([address]) => address.endsWith('.js'))
  const firstCss = new Set((manifest['page/main.tsx']?.css ?? []).map((file) => `/${file}`))
  const cssOf = (isFirst: boolean): string =>
    [...assets]
      .filter(([address]) => address.endsWith('.css') && firstCss.has(address) === isFirst)
      .map(([, { bytes }]) => bytes.toString('utf8'))
      .join('')
  const [first, later] = [cssOf(true), cssOf(false)]
  const module: unknown = await import(pathToFileURL(fileURLToPath(new URL('server/render.js', DIST))).href)
  if (!hasRender(module)) throw new Error('the page build has no renderer: run npm run build')
  const shared = (manifest['page/main.tsx']?.imports ?? []).map(fileOf)
  const preloadsOf = (locale: PageLocale): string[] => [...shared, fileOf(`page/words/${locale}.ts`)]
  return {
    render: module.render,
    entry: fileOf('page/main.tsx'),
    preloads: {
      ja: preloadsOf('ja'),
      'en-US': preloadsOf('en-US'),
      ko: preloadsOf('ko'),
      'zh-Hans': preloadsOf('zh-Hans'),
      'zh-Hant': preloadsOf('zh-Hant'),
      th: preloadsOf('th'),
    },
    lazyParts: fileOf('page/lazy-parts.tsx'),
    integrity: Object.fromEntries(
      scripts.map(([address, { bytes }]) => [address, `sha384-${createHash('sha384').update(bytes).digest('base64')}`]),
    ),
    css: { first, later, rules: parseStyleSheet(first + later) },
    watchdogScript: (await readFile(new URL('watchdog/watchdog.js', DIST), 'utf8')).trim(),
    preHydrationScript: (await readFile(new URL('pre-hydration/pre-hydration.js', DIST), 'utf8')).trim(),
    favicon: fileOf('page/art/favicon.svg'),
    assets,
  }
}
