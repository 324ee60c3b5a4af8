/** SBOM: the bill of materials of a release, CycloneDX 1.6 as JSON. The same commit gives the same bytes: it tells no time. */
import { createHash } from 'node:crypto'
import { needsOf, type LockedPackage } from './lockfile.ts'
import type { Components } from './components.ts'

export interface SbomSubject {
  readonly version: string
  /** Of package.json; the owner has given no licence to anybody yet. */
  readonly licence: string
  readonly runtime: LockedPackage
  /** SHA-256 of the program in it. */
  readonly runtimeHash: string
}

const purlOf = ({ name, version }: LockedPackage): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
/** A package may be there twice, in two places. */
const refOf = (each: LockedPackage): string => `${purlOf(each)}#${each.path}`

const componentOf = (each: LockedPackage, where: string, { type, name, hashes }: Record<string, unknown>): object => ({
  type,
  'bom-ref': refOf(each),
  name,
  version: each.version,
  scope: 'required',
  hashes,
  licenses: [{ license: { id: each.licence } }],
  purl: purlOf(each),
  properties: [{ name: 'kaikei:where', value: where }],
})

const libraryOf = (each: LockedPackage, where: string): object => {
  const [, hash] = /^sha512-(.*)$/.exec(each.integrity ?? '') ?? []
  const content = Buffer.from(hash ?? '', 'base64').toString('hex')
  const hashes = hash === undefined ? [] : [{ alg: 'SHA-512', content }]
  return componentOf(each, where, { type: 'library', name: each.name, hashes })
}

const runtimeComponent = ({ runtime, runtimeHash }: SbomSubject): object =>
  componentOf(runtime, 'bin/node', {
    type: 'platform',
    name: 'node',
    hashes: [{ alg: 'SHA-256', content: runtimeHash }],
  })

/** A UUID of these bytes: the format asks for one, and a random one would make every build another. */
const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

export const sbomOf = ({ lockfile, server, page }: Components, subject: SbomSubject): string => {
  const shipped = [...server, ...page]
  const self = `pkg:generic/kaikei@${subject.version}`
  const inRelease = new Set(shipped.map(({ path }) => path))
  const dependsOn = (each: LockedPackage): string[] =>
    needsOf(lockfile, each)
      .filter(({ path }) => inRelease.has(path))
      .map(refOf)
  const body = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: 'kaikei',
        version: subject.version,
        licenses: [{ license: { name: subject.licence } }],
        purl: self,
      },
    },
    components: [
      runtimeComponent(subject),
      ...server.map((each) => libraryOf(each, each.path)),
      ...page.map((each) =>
        libraryOf(each, 'the scripts of page and console, dist/client, dist/console and dist/server'),
      ),
    ],
    dependencies: [
      { ref: self, dependsOn: [refOf(subject.runtime), ...shipped.map(refOf)] },
      ...shipped.map((each) => ({ ref: refOf(each), dependsOn: [...new Set(dependsOn(each))] })),
    ],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(body))}`
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, version: 1, ...body }, null, 2)}\n`
}
