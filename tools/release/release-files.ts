/** Release files: which files of the project, of its packages and of the built page stand in a release. */

/** Of these rooms everything but tests: what was tested is what runs, line by line. */
const PRODUCT = /^(contract|payment|server|sandbox|deploy)\//
/** Its packages serve nobody who is paid: a release sends its mails to a mail server (decision 47). */
const MAILBOX = /^sandbox\/mailbox\//
const BUILT = /^dist\/((client|console|server|watchdog|pre-hydration)\/|scripts\.json$)/
/** For the operator, with everything that they link to: a machine without a clone has no other copy. */
const DOCUMENT = /^[A-Z]+\.md$|^(docs|decisions)\//
const TEST = /\.(test|spec)\.tsx?$|(^|\/)testing\//

/** What starts server, sandbox and command line. The other tools build and test, and stay at home. */
export const RELEASE_MAIN = 'tools/run/release-main.ts'
const TOOLS = [
  RELEASE_MAIN,
  'tools/exit-with-parent.ts',
  'tools/progress.mjs',
  'tools/run/kaikei.ts',
  'tools/run/programs.ts',
  'tools/run/start-problem.ts',
  'tools/run/unlisted-files.ts',
]

/** `path` is relative to the project, with slashes. */
export const isReleased = (path: string): boolean =>
  !TEST.test(path) &&
  !MAILBOX.test(path) &&
  (PRODUCT.test(path) || BUILT.test(path) || DOCUMENT.test(path) || TOOLS.includes(path))

const IMPORT = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|(?:^import\s+|\bimport\()'([^']+)'/gm

/** The modules that a source of ours imports when it runs; types are erased before. */
export const importsOf = (source: string): string[] =>
  [...source.matchAll(IMPORT)].flatMap(([, type, from, alone]) => (type === undefined ? (from ?? alone ?? []) : []))

const isPackage = (specifier: string): boolean => !/^(\.|#|node:|virtual:)/.test(specifier)

/** `@fastify/swagger` of `@fastify/swagger/lib/x.js`. */
const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

export const packagesImportedBy = (sources: Iterable<string>): string[] => {
  const names = [...sources].flatMap((source) => importsOf(source).filter(isPackage).map(nameOf))
  return [...new Set(names)].toSorted()
}

/** Of a package: programs, data and the licence. Its tests, its documents, its types and its tools run nowhere. */
const PACKAGE_FILE = /(\.(c|m)?js|\.json|\.wasm|(^|\/)(licen[cs]e|copying|notice)[^/]*)$/i
const PACKAGE_TEST =
  /^(\.github|\.husky|bench|benchmarks?|docs?|examples?|fixtures|integration|scripts|spec|tests?)\/|(^|\/)(__tests__|tests?)\/|\.(test|spec)\.[cm]?js$|(^|\/)(\.[^/]*|bench(marks?)?|eslint\.config|examples?|tests?|tsconfig)\.(json|[cm]?js)$/

/** `path` is relative to the package. */
export const isReleasedOfPackage = (path: string): boolean => PACKAGE_FILE.test(path) && !PACKAGE_TEST.test(path)

/** A require or import of a neighbour, by a text that stands in the program. */
const NEIGHBOUR = /(?:\brequire\(|\bimport\(|\bfrom\s*|^\s*import\s*)['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/gm
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.json', '/index.js', '/index.cjs', '/index.mjs']

const joined = (folder: string, relative: string): string => new URL(relative, `file:///${folder}`).pathname.slice(1)

/** What released programs of a package ask for that was left out of it, as `file: what`. */
export const missingNeighbours = (all: ReadonlyMap<string, string>, isKept: (path: string) => boolean): string[] =>
  [...all].flatMap(([path, text]) => {
    if (!isKept(path) || !/\.[cm]?js$/.test(path)) return []
    return [...text.matchAll(NEIGHBOUR)].flatMap(([, neighbour = '']) => {
      const target = joined(path, neighbour).replace(/\/$/, '')
      const found = ENDINGS.map((ending) => target + ending).find((each) => all.has(each))
      return found === undefined || isKept(found) ? [] : [`${path}: ${found}`]
    })
  })
