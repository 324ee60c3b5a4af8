/** QR code of an address, as an SVG picture. */
import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'

/** Quiet zone of the QR code, as wide as the standard asks: without it a camera does not find the code on a dark page. */
const MARGIN = 4

/** Pixels of a module, where the page that shows the picture gives no size. */
const SCALE = 8

export const drawQrCodeOf = (address: string): string =>
  toSvgSource(generate(address), { on: 'black', off: 'white', pad: MARGIN, scale: SCALE, xmlDeclaration: true })
