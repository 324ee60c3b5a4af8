/** Page watch, for `npm run dev`: Vite builds again what a change concerns, without the minifier that takes most of the time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { MODES, STAMP } from './page-build.ts'

// Set otherwise in the shell, it would put React's development build into the page.
process.env['NODE_ENV'] = 'production'
process.once('disconnect', () => process.exit(1))

/** Being built, or left with a mistake. */
const unbuilt = new Set(MODES)

/** The server is started again when the stamp is written. `npm start` finds no hash in it, and builds anew. */
const finish = (mode: string): void => {
  unbuilt.delete(mode)
  if (unbuilt.size > 0) return
  writeFileSync(join(ROOT, STAMP), 'built by npm run dev')
  process.send?.({ ready: true })
}

for (const mode of MODES) {
  const fast = mode === 'client' ? ({ minify: 'oxc' } as const) : {}
  const watcher = await build({ root: ROOT, mode, build: { ...fast, outDir: `dist/${mode}`, watch: {} } })
  if (!('on' in watcher)) throw new Error(`vite does not watch ${mode}`)
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_START') unbuilt.add(mode)
    if (event.code === 'ERROR') printProgress(event.error.message)
    if (event.code === 'BUNDLE_END') finish(mode)
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result.close()
  })
}
