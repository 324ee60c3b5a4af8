/** Stored assets: finds the files of a page that a server of another release has drawn. */
import type { Dependencies } from '../dependencies.ts'
import { createSampler } from '../log.ts'
import { createRecentlyRead } from './recently-read.ts'
import { ASSET_FOLDER, type PageBuild } from './page-build.ts'
import type { AssetHmac, PageAsset } from '../store/page/page-asset-hmac.ts'
import { isAssetName, readAssets, type StoredAsset } from '../store/page/page-assets.ts'

/** The files of a build by the names under which they are stored. */
export const assetsByName = ({ assets }: Pick<PageBuild, 'assets'>): ReadonlyMap<string, PageAsset> =>
  new Map([...assets].map(([address, asset]) => [address.slice(ASSET_FOLDER.length), asset]))

/** Page and console of more than three releases; of the console a tab asks for a few screens. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

export type FindStoredAsset = (name: string) => Promise<PageAsset | null>

type Waiting = Map<string, PromiseWithResolvers<StoredAsset | null>>

/**
 * One read at a time, for all names that were asked for during the read before: whoever invents names keeps one connection to
 * the database busy, and a payment does not wait behind a hundred reads. How many wait is limited by the lane of files.
 */
const createJoinedReads = (
  read: (names: readonly string[]) => Promise<ReadonlyMap<string, StoredAsset>>,
): ((name: string) => Promise<StoredAsset | null>) => {
  let waiting: Waiting = new Map()
  let isReading = false
  const readWaiting = async (): Promise<void> => {
    isReading = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        const found = await read([...batch.keys()])
        for (const [name, { resolve }] of batch) resolve(found.get(name) ?? null)
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
    }
    isReading = false
  }
  return (name) => {
    const asked = waiting.get(name) ?? Promise.withResolvers<StoredAsset | null>()
    waiting.set(name, asked)
    if (!isReading) void readWaiting()
    return asked.promise
  }
}

const lengthOf = ({ bytes, compressed: { br, gzip } }: PageAsset): number =>
  bytes.length + (br?.length ?? 0) + (gzip?.length ?? 0)

/** Null: no server has stored this name, or the row is not as a server of ours has stored it. */
export const createStoredAssets = (
  { database, log, elapsed }: Pick<Dependencies, 'database' | 'log' | 'elapsed'>,
  hmac: AssetHmac,
): FindStoredAsset => {
  const readJoined = createJoinedReads((names) => readAssets(database, hmac, names))
  const isSampled = createSampler(elapsed)
  const findRecent = createRecentlyRead({
    find: async (name: string) => {
      const stored = await readJoined(name)
      if (stored === null || stored.isGenuine) return stored?.asset ?? null
      if (isSampled('page asset'))
        log.alarm('a stored page asset is not served: its HMAC is wrong', {
          why: `${name} in page_assets was changed, or stored under a secret key that this server does not have`,
        })
      return null
    },
    lengthOf,
    bytesMax: KEPT_BYTES_MAX,
    elapsed,
  })
  return async (name) => (isAssetName(name) ? findRecent(name) : null)
}
