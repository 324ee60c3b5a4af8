/** Git: the commit that is measured or released, and a check that the working tree is that commit. */
import { CommandError } from './command-error.mjs'
import { runAndCapture } from './exit-with-parent.ts'
import { ROOT } from './root.ts'

const gitIn = async (folder: string, args: readonly string[]): Promise<string> => {
  const { code, output } = await runAndCapture('git', [...args], { cwd: folder })
  if (code !== 0) throw new CommandError(`git ${args.join(' ')} failed: ${output.trim()}`)
  // A line of `git status` may begin with a space that means something.
  return output.trimEnd()
}

export const git = (...args: string[]): Promise<string> => gitIn(ROOT, args)

/** Figures may have changed: several measurements are made in a row. */
const FILES_OF_FIGURES = ['docs/proof.json', 'docs/bench.json', 'docs/performance.md', 'README.md', 'docs/ja/README.md']

const NAMED_MAX = 20

/** Files in the way of a commit, as `git status --porcelain` lists them: each by its name, a new one as such. */
const namedChanges = (status: string): string => {
  const lines = status.split('\n')
  const named = lines.slice(0, NAMED_MAX).map((line) => {
    const file = line.slice(3)
    return line.startsWith('??') ? `  ${file} (in no commit yet)` : `  ${file}`
  })
  const more = lines.length - named.length
  return [...named, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

const commitWithout = async (ignored: readonly string[], folder: string): Promise<string> => {
  const changes = await gitIn(folder, ['status', '--porcelain', '--', '.', ...ignored.map((file) => `:!${file}`)])
  if (changes !== '')
    throw new CommandError(
      `the working tree has changes that belong to no commit:\n${namedChanges(changes)}\ncommit, stash or delete them, then try again`,
    )
  return gitIn(folder, ['rev-parse', 'HEAD'])
}

/** The commit of the working tree. Refused while there are changes other than figures. */
export const committed = (folder = ROOT): Promise<string> => commitWithout(FILES_OF_FIGURES, folder)

/** The same, but changed figures are refused too: a release contains them, and one commit must give the same bytes. */
export const whollyCommitted = (folder = ROOT): Promise<string> => commitWithout([], folder)

/** Commits after this one that touch these paths; null where this clone, a shallow one perhaps, does not have it. */
export const countCommits = async (commit: string, paths: readonly string[], folder = ROOT): Promise<number | null> => {
  const { code } = await runAndCapture('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: folder })
  return code === 0 ? Number(await gitIn(folder, ['rev-list', '--count', `${commit}..HEAD`, '--', ...paths])) : null
}
