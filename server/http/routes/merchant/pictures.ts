/** Routes of the merchant API that take and remove a shop's pictures. The body is the file itself. */
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import * as calls from '#contract/merchant/pictures.ts'
import { isRefusal } from '#contract/errors.ts'
import { sendRefusal } from '../../errors.ts'
import { refusePicture, removePicture, replacePicture } from '../../../operations/pictures.ts'
import { logSettingsChange } from '../../../operations/settings.ts'
import type { PictureRefusal } from '../../../pictures/picture.ts'
import { answerCall } from '../contract-route.ts'
import { originOf, type CallerOptions } from './caller.ts'

/** A little more is read than a picture may have: one that is just too large is then refused by its own check. */
const BODY_LIMIT = calls.PICTURE_BYTES_MAX + 64 * 1024
const BYTES = 'application/octet-stream'

/** Errors of Fastify about a body that it has not read to its end. */
const unreadBodies: Readonly<Record<string, PictureRefusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { why: 'too_large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { why: 'cut_short' },
}

/** The body is read as bytes, whatever its header says: a picture is known by its content alone. */
const replaceRoute: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(BYTES, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    done(null, body)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = BYTES
    done()
  })
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const unread = unreadBodies[error.code]
    if (unread === undefined) throw error
    return sendRefusal(reply, refusePicture(unread))
  })

  answerCall(app, calls.replacePicture, async (request) => {
    const caller = callerOf(request)
    const file = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const replaced = await replacePicture(deps, caller.merchant.id, request.params.picture, file)
    if (isRefusal(replaced)) return replaced
    if (replaced.isChanged) logSettingsChange(deps.log, caller, [request.params.picture])
    const { address, type, width, height } = replaced
    const url = originOf(deps, caller) + address
    return { url, contentType: type, width, height }
  })
}

export const pictureUploadRoutes: FastifyPluginAsync<CallerOptions> = async (app, options) => {
  await app.register(replaceRoute, options)
  answerCall(app, calls.removePicture, async (request) => {
    const caller = options.callerOf(request)
    const isRemoved = await removePicture(options.deps, caller.merchant.id, request.params.picture)
    if (isRemoved) logSettingsChange(options.deps.log, caller, [request.params.picture])
    return {}
  })
}
