/** Product code: what a figure is true of. A proof or a bench that ran before its last change ran on another product. */
import { countCommits } from '../git.ts'

/** What runs when somebody pays, how its pages are built, and the packages of both. Tests, tools and documents are none of it. */
export const PRODUCT_CODE = [
  'contract',
  'payment',
  'server',
  'ui',
  'page',
  'console',
  'sandbox',
  'tools/build',
  'vite.config.ts',
  'package-lock.json',
]
const NOT_TESTS = [':(exclude,glob)**/*.test.ts', ':(exclude,glob)**/testing/**']

/** How often it has changed since a commit; null where this clone does not have the commit. */
export type CountChanges = (commit: string) => Promise<number | null>

export const changesSince: CountChanges = (commit) => countCommits(commit, [...PRODUCT_CODE, ...NOT_TESTS])
