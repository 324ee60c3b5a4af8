import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLostOnDark, isLostOnLight, luminanceOf, plateFor, type Shades } from './logo-shades.ts'

/** Of 1000 pixels, half of them transparent. */
const plateOf = (lostOnLight: number, lostOnDark: number, more: Partial<Shades> = {}): string =>
  plateFor({ all: 1000, visible: 500, lostOnLight, lostOnDark, ...more })

test('a logo of which nothing is lost on white has a light plate, a white one the dark plate', () => {
  assert.equal(plateOf(0, 0), 'light')
  assert.equal(plateOf(0, 500), 'light')
  assert.equal(plateOf(500, 0), 'dark')
})

test('light edges of a dark logo are not missed up to a twentieth of it; from there on it needs a darker ground', () => {
  assert.equal(plateOf(24, 0), 'light')
  assert.equal(plateOf(25, 0), 'dark')
})

test('of black and white the larger part decides, and where each is two fifths both are seen on the neutral plate', () => {
  assert.equal(plateOf(199, 301), 'light')
  assert.equal(plateOf(301, 199), 'dark')
  assert.equal(plateOf(200, 300), 'neutral')
  assert.equal(plateOf(300, 200), 'neutral')
})

test('a picture with less than an eighth of transparent pixels brings its own ground', () => {
  assert.equal(plateOf(876, 0, { visible: 876 }), 'light')
  assert.equal(plateOf(875, 0, { visible: 875 }), 'dark')
})

test('a picture without a visible pixel has a light plate', () => {
  assert.equal(plateOf(0, 0, { visible: 0 }), 'light')
})

test('white and pale yellow are lost on the light plate, black and navy on the dark one, and no colour on both', () => {
  assert.deepEqual([luminanceOf(0, 0, 0), luminanceOf(255, 255, 255).toFixed(4)], [0, '1.0000'])
  const grounds = (...colour: readonly [number, number, number]): boolean[] => {
    const luminance = luminanceOf(...colour)
    return [isLostOnLight(luminance), isLostOnDark(luminance)]
  }
  assert.deepEqual(grounds(255, 255, 255), [true, false])
  assert.deepEqual(grounds(255, 255, 0), [true, false])
  assert.deepEqual(grounds(0, 0, 0), [false, true])
  assert.deepEqual(grounds(0, 0, 64), [false, true])
  // The dark plate itself, `--ink` of the page.
  assert.deepEqual(grounds(0x14, 0x18, 0x1f), [false, true])
  for (let grey = 0; grey <= 255; grey += 1) assert.notDeepEqual(grounds(grey, grey, grey), [true, true])
  const seen: readonly (readonly [number, number, number])[] = [
    [255, 165, 0],
    [200, 30, 30],
    [0, 128, 0],
    [41, 171, 233],
  ]
  for (const colour of seen) assert.deepEqual(grounds(...colour), [false, false], colour.join())
})
