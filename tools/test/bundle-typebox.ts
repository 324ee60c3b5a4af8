/** Bundled typebox: the schema library in a few files, for the processes of tests (quick-imports.mjs). */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../is-record.mjs'
import { withLock } from '../lock.ts'
import { ROOT } from '../root.ts'

const PACKAGE = join(ROOT, 'node_modules', 'typebox')
const BUNDLE = join(ROOT, 'dist', '.typebox')

const packageFacts = (): { readonly version: string; readonly entries: readonly string[] } => {
  const facts: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  if (!isRecord(facts) || !isRecord(facts['exports'])) throw new Error('typebox has no list of exports any more')
  return { version: String(facts['version']), entries: Object.keys(facts['exports']) }
}

/** The names that typebox is imported by, each with its file: `typebox/value` is `value`, and `typebox` is `index`. */
export const typeboxEntries = (): Record<string, string> =>
  Object.fromEntries(
    packageFacts().entries.map((entry) => [
      entry === '.' ? 'index' : entry.slice('./'.length),
      join(PACKAGE, 'build', entry, 'index.mjs'),
    ]),
  )

const versionOf = (bundle: string): string | undefined => {
  const file = join(bundle, '.version')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Beside the one in use and then moved: a process never finds half of it. */
const writeBundle = async (version: string): Promise<void> => {
  const next = `${BUNDLE}.next`
  // Only here: loading it takes a second, and the bundle is mostly there.
  const { build } = await import('vite')
  const before = process.env['NODE_ENV']
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: next,
      emptyOutDir: true,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: typeboxEntries(),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'part-[name].mjs' },
      },
    },
  })
  // Vite sets it to production: the tests of this run would inherit it, and only of the run that writes the bundle.
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  writeFileSync(join(next, '.version'), version)
  rmSync(BUNDLE, { recursive: true, force: true })
  renameSync(next, BUNDLE)
}

/** Writes it unless it is there in the version that is installed. */
export const ensureTypeboxBundled = async (): Promise<void> => {
  const { version } = packageFacts()
  if (versionOf(BUNDLE) === version) return
  await withLock('typebox', async () => {
    if (versionOf(BUNDLE) !== version) await writeBundle(version)
  })
}

/** The options of Node under which a process takes its imports from there, after those that are set already. */
export const quickImportOptions = (env: NodeJS.ProcessEnv): string =>
  [env['NODE_OPTIONS'], `--import=${pathToFileURL(join(ROOT, 'tools', 'test', 'quick-imports.mjs')).href}`]
    .filter((each) => each !== undefined && each !== '')
    .join(' ')
