/** Route of the shops' pictures: on the host of the shop that has uploaded them, and on no other. */
import type { FastifyPluginAsync } from 'fastify'
import { sendNotFound } from '../errors.ts'
import { PICTURE_HEADERS } from '../headers.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import type { Parts } from '../../parts.ts'
import { hashInName, PICTURE_FOLDER, pictureName } from '../../pictures/picture-address.ts'
import { findPicture } from '../../store/pictures.ts'
import { createRecentPictures } from '../../store/recent-pictures.ts'

/** A picture as its type and as nothing else. Unknown, of another merchant, under another extension: the same 404. */
export const pictureRoutes: FastifyPluginAsync<{ readonly parts: Parts }> = async (app, { parts }) => {
  const findRecent = createRecentPictures(
    (merchantId, hash) => findPicture(parts.database, merchantId, hash, parts.clock.now()),
    parts.elapsed,
  )

  app.get<{ Params: { name: string } }>(
    `${PICTURE_FOLDER}:name`,
    { config: { lane: 'files' } },
    async (request, reply) => {
      const { name } = request.params
      const hash = hashInName(name)
      if (hash === null) return sendNotFound(reply)
      const merchant = await merchantOfDocument(parts.findMerchant, readHost(request.headers.host, parts.publicBase))
      if (merchant === null) return sendNotFound(reply)
      const picture = await findRecent(merchant.id, hash)
      if (picture === null || pictureName(hash, picture.type) !== name) return sendNotFound(reply)
      return reply.headers(PICTURE_HEADERS).type(picture.type).send(picture.bytes)
    },
  )
}
