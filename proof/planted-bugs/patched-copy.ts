/** Patched copy: the code in a temporary folder, with a bug patched in. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../tools/root.ts'
import { copyProject } from '../programs/copied-project.ts'
import { editsOf, type Edit, type PlantedBug } from './planted-bug.ts'

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
  copyProject(folder)
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
