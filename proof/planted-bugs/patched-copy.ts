/** Patched copy: the code in a temporary folder, with a bug patched in. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { editsOf, type Edit, type PlantedBug } from './planted-bug.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPIED = ['contract', 'payment', 'server', 'page', 'sandbox', 'proof', 'tools', 'package.json', 'tsconfig.json']

export interface PatchedCopy {
  readonly folder: string
  remove(): void
}

const textToPatch = (root: string, name: string, { file, find }: Edit): string => {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.split(find).length !== 2)
    throw new Error(`"${name}" no longer applies to ${file}: write it for the code of today`)
  return text
}

/** A patch that no longer applies proves nothing, so it is a failure. */
export const assertApplies = (bug: PlantedBug): void => {
  for (const edit of editsOf(bug)) textToPatch(ROOT, bug.name, edit)
}

/** Copies the code and patches the bug in, or none. */
export const createPatchedCopy = (bug: PlantedBug | null): PatchedCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-planted-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  for (const part of COPIED) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  try {
    for (const edit of bug === null ? [] : editsOf(bug)) {
      const text = textToPatch(folder, bug?.name ?? '', edit)
      writeFileSync(
        join(folder, edit.file),
        text.replace(edit.find, () => edit.replace),
      )
    }
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}
