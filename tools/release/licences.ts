/** Licences: what each package in a release may be used under, and which licences we take. */
import { markdownTable } from '../markdown-table.ts'
import type { Contents } from './contents.ts'
import type { LockedPackage } from './npm-project.ts'

/** Each lets a program be sold, run and changed without opening its own source. Another one is a decision of the owner's. */
export const ALLOWED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/** A package of several parts, such as "MIT and ISC", is taken where the licence of each is. */
const isTaken = (licence: string): boolean => licence.split(/ and /i).every((part) => ALLOWED_LICENCES.includes(part))

export const refusedLicences = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ licence }) => !isTaken(licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence}`)

const HEADER = ['package', 'version', 'licence', 'where']

const rowsOf = (packages: readonly LockedPackage[], where: string): string[][] => {
  const rows = packages.map(({ name, version = '', licence }) => [name, version, licence, where])
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()].toSorted((a, b) =>
    a.join() < b.join() ? -1 : 1,
  )
}

/** docs/licences.md: written by `npm run sbom`, and compared with the lockfile by a test. */
export const licencesDocument = ({ server, page, runtimes }: Contents): string => `# Licences of what a release holds

Written by \`npm run sbom\`; a test compares it with \`package-lock.json\` and refuses every licence but ${ALLOWED_LICENCES.join(', ')}. Their texts stand in \`licences/\` of a release. The package of Node says MIT; its own licence file names the parts inside it.

${markdownTable(HEADER, [...rowsOf(server, 'server'), ...rowsOf(page, 'browser'), ...rowsOf(runtimes, 'Node')])}
`
