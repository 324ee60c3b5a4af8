/** Copied project: the files of this project in another folder, where a proof may change them. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../tools/root.ts'

/** All that git lists, committed or new: of a list of folders in a proof, the next new folder would be missing. */
const LISTED = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']

/** The packages are shared by a link: they are not to be changed. */
export const copyProject = (folder: string): void => {
  const paths = execFileSync('git', LISTED, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const path of paths.filter((each) => each !== '' && existsSync(join(ROOT, each))))
    cpSync(join(ROOT, path), join(folder, path))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
