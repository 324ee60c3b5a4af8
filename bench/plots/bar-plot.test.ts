import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barPlot, type BarPlot } from './bar-plot.ts'

const PLOT: BarPlot = {
  title: 'First paint & field',
  description: 'Of the same words.',
  limit: 1,
  bars: [
    { label: 'card ja', value: 0.5 },
    { label: 'card <th>', value: 2 },
  ],
}

test('bars and the limit stand at one scale: the limit at half of a bar of twice the limit', () => {
  const svg = barPlot(PLOT)
  const widths = [...svg.matchAll(/<rect x="150" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width))
  assert.deepEqual(widths, [112.5, 450])
  assert.match(svg, /<line x1="375" /)
})

test('a bar over the limit says so in words', () => {
  const svg = barPlot(PLOT)
  assert.match(svg, />2 \(over\)<\/text>/)
  assert.match(svg, />0\.5<\/text>/)
  assert.doesNotMatch(barPlot({ ...PLOT, limit: 2 }), /over/)
})

test('title and description tell everything to those who hear it, and no text breaks the file', () => {
  const svg = barPlot(PLOT)
  assert.match(svg, /<title id="title">First paint &amp; field<\/title>/)
  assert.match(svg, /<desc id="desc">Of the same words\. The limit is 1\. card ja 0\.5, card &lt;th> 2\.<\/desc>/)
  assert.match(svg, /role="img" aria-labelledby="title desc"/)
})

test('bars of nothing beside a limit of nothing still have a width', () => {
  assert.doesNotMatch(barPlot({ ...PLOT, limit: 0, bars: [{ label: 'card', value: 0 }] }), /NaN|Infinity/)
})
