/** npm run sbom: writes the bill of materials of this system's release, and docs/licences.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { runCommand } from '../run-command.ts'
import { readBill, readContents } from './contents.ts'
import { licencesDocument } from './licences.ts'

export const writeSbom = async (): Promise<number> => {
  const contents = await readContents()
  const file = join('dist', 'sbom.cdx.json')
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(join(ROOT, file), await readBill())
  writeFileSync(join(ROOT, 'docs', 'licences.md'), licencesDocument(contents))
  const { server, page } = contents
  printProgress(`${file}: ${server.length} packages, ${page.length} in the page, Node; docs/licences.md`)
  return 0
}

if (import.meta.main) await runCommand(writeSbom)
