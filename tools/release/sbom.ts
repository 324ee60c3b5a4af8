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

const hashesOf = (integrity: string | undefined): object[] =>
  integrity?.startsWith('sha512-') === true
    ? [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }]
    : []

const componentOf = (each: LockedPackage, where: string): object => ({
  type: 'library',
  'bom-ref': refOf(each),
  name: each.name,
  version: each.version,
  scope: 'required',
  hashes: hashesOf(each.integrity),
  licenses: [{ license: { id: each.licence } }],
  purl: purlOf(each),
  properties: [{ name: 'kaikei:where', value: where }],
})

const runtimeComponent = ({ runtime, runtimeHash }: SbomSubject): object => ({
  type: 'platform',
  'bom-ref': refOf(runtime),
  name: 'node',
  version: runtime.version,
  scope: 'required',
  hashes: [{ alg: 'SHA-256', content: runtimeHash }],
  licenses: [{ license: { id: runtime.licence } }],
  purl: purlOf(runtime),
  properties: [{ name: 'kaikei:where', value: 'bin/node' }],
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
      ...server.map((each) => componentOf(each, each.path)),
      ...page.map((each) => componentOf(each, 'the scripts of the page, dist/client and dist/server')),
    ],
    dependencies: [
      { ref: self, dependsOn: [refOf(subject.runtime), ...shipped.map(refOf)] },
      ...shipped.map((each) => ({ ref: refOf(each), dependsOn: [...new Set(dependsOn(each))] })),
    ],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(body))}`
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, version: 1, ...body }, null, 2)}\n`
}
