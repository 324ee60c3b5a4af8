import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './planted-bugs.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPIED = ['contract', 'payment', 'server', 'page', 'sandbox', 'proof', 'package.json', 'tsconfig.json']

export interface Plot {
  readonly folder: string
  clear(): void
}

/** A copy of the code with the bug in it. A patch that does not apply any more proves nothing, so it is a failure. */
export const plant = ({ name, edits }: PlantedBug): Plot => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-planted-'))
  for (const part of COPIED) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, find, replace } of edits) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.split(find).length !== 2) throw new Error(`"${name}" no longer applies to ${file}: plant it anew`)
    writeFileSync(
      join(folder, file),
      text.replace(find, () => replace),
    )
  }
  return { folder, clear: () => rmSync(folder, { recursive: true, force: true }) }
}
