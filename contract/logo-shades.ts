/** Shades of a logo: its plate is chosen by how much of its visible pixels would be lost on a light ground, and how much on the dark one. */
import type { LogoPlate } from './logo-plate.ts'

/** Pixels by what becomes of them; one that is half transparent counts half. */
export interface Shades {
  /** All there are, transparent ones among them. */
  readonly all: number
  readonly visible: number
  readonly lostOnLight: number
  readonly lostOnDark: number
}

/** Below this contrast a shape is not seen: pale yellow on white has 1.3, light orange 2. */
const LOST_BELOW = 1.5
/** Luminance of the plates in `page/shop/shop-logo.module.css`. */
const LIGHT = 1
const DARK = 0.0092

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const LINEAR = Float64Array.from({ length: 256 }, (_, part) => linear(part))

/** Relative luminance of WCAG, 0 to 1, of parts from 0 to 255. */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0)

const contrast = (lighter: number, darker: number): number => (lighter + 0.05) / (darker + 0.05)

export const isLostOnLight = (luminance: number): boolean => contrast(LIGHT, luminance) < LOST_BELOW
export const isLostOnDark = (luminance: number): boolean =>
  contrast(Math.max(luminance, DARK), Math.min(luminance, DARK)) < LOST_BELOW

/** With fewer transparent pixels a picture brings its own ground, such as a square with round corners. */
const OWN_GROUND_BELOW = 1 / 8
/** Of what is visible: a few light pixels along the edges of a dark logo are not missed. */
const MISSED_FROM = 1 / 20
/** Of what is visible. Less of it is mostly inside of the rest, such as white letters on a black circle. */
const HALF_FROM = 2 / 5

/** Light, unless part of the picture would be missed there and less of it on the dark plate. */
export const plateFor = ({ all, visible, lostOnLight, lostOnDark }: Shades): LogoPlate => {
  if (visible === 0 || all - visible < all * OWN_GROUND_BELOW || lostOnLight < visible * MISSED_FROM) return 'light'
  if (Math.min(lostOnLight, lostOnDark) >= visible * HALF_FROM) return 'neutral'
  return lostOnLight > lostOnDark ? 'dark' : 'light'
}
