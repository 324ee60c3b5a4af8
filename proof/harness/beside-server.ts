/** Beside a server: a suite of tests of operator commands, on a database that a server with a merchant has open. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { openMerchantClient, type MerchantClient } from './merchant-client.ts'
import { OPEN_SERVER_DATABASE, type OpenServerDatabase } from './server-databases.ts'

export interface BesideServer extends Pick<OpenServerDatabase, 'database' | 'env'> {
  readonly client: MerchantClient
}

/** The same tests on each engine. `whenOpen` is called before them. */
export const besideServer = (
  title: string,
  tests: (whenOpen: (use: (opened: BesideServer) => void) => void, engine: string) => void,
): void => {
  for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
    describe(`${title} on ${engine}`, { concurrency: 1 }, () => {
      tests((use) => {
        let folder: string
        let place: OpenServerDatabase
        before(async () => {
          folder = await mkdtemp(join(tmpdir(), 'kaikei-beside-'))
          place = await openPlace(folder)
          use({ ...place, client: await openMerchantClient(place.database) })
        })
        after(async () => {
          await place.close()
          await rm(folder, { recursive: true, force: true })
        })
      }, engine)
    })
}
