/** JPEG: frame, tables in use, scans and colour facts are checked and put together anew. */
import { colourSegments } from './jpeg-colours.ts'
import { parseFrame, parseScan } from './jpeg-frame.ts'
import { isFrame, jpegSegment, MARKERS, readSegments, type JpegSegment } from './jpeg-segments.ts'
import { createJpegTables } from './jpeg-tables.ts'
import { damaged, isPictureRefusal, sizeProblem, type Picture, type PictureRefusal } from './picture.ts'

export const JPEG_SIGNATURE = Buffer.from('ffd8ff', 'hex')

/** A picture in passes has about ten; each costs a browser a walk over all pixels, even where it holds nothing. */
const SCANS_MAX = 50

const isScan = ({ marker }: JpegSegment): boolean => marker === MARKERS.scan

export const checkJpeg = async (file: Buffer): Promise<Picture | PictureRefusal> => {
  const segments = await readSegments(file)
  if (isPictureRefusal(segments)) return segments
  const [frameSegment, ...moreFrames] = segments.filter(isFrame)
  const firstScan = segments.findIndex(isScan)
  if (frameSegment === undefined || firstScan === -1) return damaged('it has no pixels')
  if (moreFrames.length > 0) return damaged('its header stands twice')
  if (segments.indexOf(frameSegment) > firstScan) return damaged('its pixels come before its header')
  if (segments.filter(isScan).length > SCANS_MAX)
    return { why: 'rare_coding', coding: `more than ${SCANS_MAX} passes over its pixels` }
  const frame = parseFrame(frameSegment.data)
  if (isPictureRefusal(frame)) return frame
  const problem = sizeProblem(frame)
  if (problem !== undefined) return problem
  const colours = colourSegments(segments.slice(0, firstScan))
  if (colours === null) return { why: 'wrong_colour_profile' }

  const tables = createJpegTables()
  const output = [Buffer.from([0xff, MARKERS.start]), ...colours]
  for (const [place, segment] of segments.entries()) {
    const wrongTable = tables.read(segment)
    if (wrongTable !== undefined) return wrongTable
    if (!isScan(segment)) continue
    const scan = parseScan(segment.data, frame)
    if (isPictureRefusal(scan)) return scan
    output.push(...tables.quantizationFor(scan))
    if (place === firstScan) output.push(jpegSegment(frameSegment.marker, frameSegment.data))
    output.push(...tables.huffmanFor(scan), jpegSegment(segment.marker, segment.data), segment.pixels)
  }
  output.push(Buffer.from([0xff, MARKERS.end]))
  const { width, height } = frame
  // Nothing of it is transparent: it brings its own ground.
  return { type: 'image/jpeg', width, height, bytes: Buffer.concat(output), plate: 'light' }
}
