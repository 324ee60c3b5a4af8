/** npm run sbom: writes the bill of materials of this system's release, and docs/licences.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { runCommand } from '../run-command.ts'
import { pinnedHash, readComponents, readNodeHashes, runtimeFor, type Components } from './components.ts'
import { licencesDocument } from './licences.ts'
import { sbomOf } from './sbom.ts'

export const THIS_PLATFORM = `${process.platform}-${process.arch}`

export interface Manifest {
  readonly version: string
  readonly licence: string
  readonly imports: unknown
}

export const readManifest = (): Manifest => {
  const parsed: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { version, license, imports } = isRecord(parsed) ? parsed : {}
  if (typeof version !== 'string' || typeof license !== 'string')
    throw new Error('package.json has no version or licence')
  return { version, licence: license, imports }
}

export const sbomText = (components: Components, platform: string): string => {
  const runtime = runtimeFor(components, platform)
  const runtimeHash = pinnedHash(readNodeHashes(), runtime)
  return sbomOf(components, { ...readManifest(), runtime, runtimeHash })
}

export const writeSbom = async (): Promise<number> => {
  const components = await readComponents()
  const file = join('dist', 'sbom.cdx.json')
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(join(ROOT, file), sbomText(components, THIS_PLATFORM))
  writeFileSync(join(ROOT, 'docs', 'licences.md'), licencesDocument(components))
  const { server, page } = components
  printProgress(`${file}: ${server.length} packages, ${page.length} in the page, Node; docs/licences.md`)
  return 0
}

if (import.meta.main) await runCommand(writeSbom)
