import { MERCHANT_BASE } from '#contract/paths.ts'
import { jpegSegment } from '../../server/pictures/jpeg-segments.ts'
import { exifWith, fixture, tinyPng, webpChunks } from '../../server/pictures/testing/fixtures.ts'
import { webpFile } from '../../server/pictures/webp.ts'
import type { HttpRequest } from './http-client.ts'
import { withOpenCheckout, type MisplacedCards, type RequestContext } from './misplaced-card-data.ts'

const uploadRequest = ({ key }: RequestContext, body: Buffer): HttpRequest => ({
  method: 'PUT',
  path: `${MERCHANT_BASE}/settings/logo`,
  headers: { authorization: `Bearer ${key}`, 'content-length': String(body.length) },
  body,
})

const cardText = ({ canary }: RequestContext): Buffer => Buffer.from(`card ${canary.number} ${canary.cvc}`)

const inComment = (data: Buffer): Buffer => {
  const file = fixture('gray.jpg')
  return Buffer.concat([file.subarray(0, 2), jpegSegment(0xfe, data), file.subarray(2), data])
}

const inXmp = (data: Buffer): Buffer =>
  webpFile([...webpChunks(fixture('canvas-lossy-alpha.webp')), { type: 'XMP ', data }])

/** Misplaced card data in the texts of a shop's picture: a photograph of an order form, say, with its note. */
export const IN_PICTURES: MisplacedCards = {
  prepare: withOpenCheckout,
  requests: [
    [
      'the card in a text of a PNG',
      200,
      (context) => uploadRequest(context, tinyPng({ type: 'tEXt', data: cardText(context) })),
    ],
    [
      'the card in a comment of a JPEG and behind it',
      200,
      (context) => uploadRequest(context, inComment(cardText(context))),
    ],
    ['the card in the XMP of a WebP', 200, (context) => uploadRequest(context, inXmp(cardText(context)))],
    [
      'the card in a picture that is refused',
      400,
      (context) =>
        uploadRequest(context, tinyPng({ type: 'tEXt', data: cardText(context) }, { type: 'eXIf', data: exifWith(6) })),
    ],
    ['the card for a picture', 400, (context) => uploadRequest(context, cardText(context))],
    [
      'the number for the name of a picture',
      404,
      ({ canary }) => ({ method: 'GET', path: `/pictures/${canary.number}.png` }),
    ],
  ],
}
