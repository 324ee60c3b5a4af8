/** Git: what the repository says of itself, for what is measured or released by its commit. */
import { CommandError } from './command-error.mjs'
import { runAndCapture } from './exit-with-parent/spawn.mjs'
import { ROOT } from './setup/setup.mjs'

export const git = async (...args: string[]): Promise<string> => {
  const { code, output } = await runAndCapture('git', args, { cwd: ROOT })
  if (code !== 0) throw new CommandError(`git ${args.join(' ')} failed: ${output.trim()}`)
  return output.trim()
}

/** Figures may have changed: several measurements are made in a row. */
const FILES_OF_FIGURES = ['docs/proof.json', 'docs/bench.json', 'docs/performance.md', 'docs/performance']

/** The commit that the working tree is; refused while it has changes that belong to none. */
export const committed = async (): Promise<string> => {
  if ((await git('status', '--porcelain', '--', '.', ...FILES_OF_FIGURES.map((file) => `:!${file}`))) !== '')
    throw new CommandError(
      'the working tree has changes that belong to no commit: commit or stash them, then try again',
    )
  return git('rev-parse', 'HEAD')
}
