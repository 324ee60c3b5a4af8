import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitWithin, plateOfPixels } from './picture-rules.ts'

test('a picture is made smaller until its longer side fits, keeps its shape and at least a pixel, and is never made larger', () => {
  assert.deepEqual(fitWithin({ width: 4000, height: 3000 }, 512), { width: 512, height: 384 })
  assert.deepEqual(fitWithin({ width: 3000, height: 4000 }, 1600), { width: 1200, height: 1600 })
  assert.deepEqual(fitWithin({ width: 100, height: 40 }, 512), { width: 100, height: 40 })
  assert.deepEqual(fitWithin({ width: 5000, height: 1 }, 512), { width: 512, height: 1 })
})

test('a white logo on nothing gets the dark plate before it is sent, a black one and a photograph the light one', () => {
  const pixels = (...each: readonly (readonly number[])[]) => new Uint8ClampedArray(each.flat())
  const [nothing, white, black] = [
    [0, 0, 0, 0],
    [255, 255, 255, 255],
    [0, 0, 0, 255],
  ] as const
  assert.equal(plateOfPixels(pixels(nothing, white)), 'dark')
  assert.equal(plateOfPixels(pixels(nothing, black)), 'light')
  assert.equal(plateOfPixels(pixels(nothing, nothing, white, black)), 'neutral')
  assert.equal(plateOfPixels(pixels(white, white)), 'light')
})
