/** Page assets watch: stores the files of this server's page, so that servers of other releases can serve them. */
import { HOUR_MS } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import type { AssetHmac, PageAsset } from '../store/page/page-asset-hmac.ts'
import { storeAssets } from '../store/page/page-assets.ts'
import { startWatch, type Watch } from './watch.ts'

/**
 * Stores at once and then looks every hour, until it is stopped. To be awaited before the server draws its first page: another
 * server may be asked for a file of it a moment later. A server starts also where nothing can be stored.
 */
export const startPageAssetsWatch = async (
  { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  hmac: AssetHmac,
  assets: ReadonlyMap<string, PageAsset>,
): Promise<Watch> => {
  const store = async (): Promise<void> => {
    try {
      await storeAssets(database, hmac, assets, clock.now())
    } catch (error) {
      log.warn('the files of the page could not be stored for other servers', errorFacts(error))
    }
  }
  await store()
  return startWatch(HOUR_MS, store)
}
