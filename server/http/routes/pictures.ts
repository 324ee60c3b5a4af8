/** Route of the shops' pictures: on the host of the shop that has uploaded them, and on no other. */
import type { FastifyPluginAsync } from 'fastify'
import { sendNotFound } from '../errors.ts'
import { PICTURE_HEADERS } from '../headers.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import type { Dependencies } from '../../dependencies.ts'
import { hashInName, PICTURE_FOLDER, pictureName } from '../../pictures/picture-address.ts'
import { findPicture } from '../../store/merchant/pictures.ts'
import { createRecentlyRead } from '../recently-read.ts'

/** More than thirty of the largest ones. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024

/** A picture as its type and as nothing else. Unknown, of another merchant, under another extension: the same 404. */
export const pictureRoutes: FastifyPluginAsync<{ readonly deps: Dependencies }> = async (app, { deps }) => {
  const findRecent = createRecentlyRead({
    find: (merchantId: string, hash: string) => findPicture(deps.database, merchantId, hash, deps.clock.now()),
    lengthOf: ({ bytes }) => bytes.length,
    bytesMax: KEPT_BYTES_MAX,
    elapsed: deps.elapsed,
  })

  app.get<{ Params: { name: string } }>(
    `${PICTURE_FOLDER}:name`,
    { config: { lane: 'files' } },
    async (request, reply) => {
      const { name } = request.params
      const hash = hashInName(name)
      if (hash === null) return sendNotFound(reply)
      const merchant = await merchantOfDocument(deps.findMerchant, readHost(request.headers.host, deps.publicBase))
      if (merchant === null) return sendNotFound(reply)
      const picture = await findRecent(merchant.id, hash)
      if (picture === null || pictureName(hash, picture.type) !== name) return sendNotFound(reply)
      return reply.headers(PICTURE_HEADERS).type(picture.type).send(picture.bytes)
    },
  )
}
