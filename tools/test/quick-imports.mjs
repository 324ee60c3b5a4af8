/**
 * Quick imports: preloaded into every process of the node tests, so that it starts in half the time. The schema library,
 * seven hundred files, is read from the few that `bundle-typebox.ts` wrote; and files of ours are found without asking the
 * file system for each. Code outside of this folder, such as a copy with a planted bug, is found as Node finds it, and the
 * journeys run the program without this.
 */
import { existsSync } from 'node:fs'
import module from 'node:module'

const ROOT = new URL('../../', import.meta.url)
const BUNDLE = new URL('dist/.typebox/', ROOT)

const hasBundle = existsSync(new URL('.version', BUNDLE))
const root = ROOT.href

// A test may start the Node of the machine, which may be too old for this.
module.registerHooks?.({
  resolve: (specifier, context, next) => {
    const { parentURL } = context
    if (parentURL === undefined || !parentURL.startsWith(root)) return next(specifier, context)
    if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    if (hasBundle && (specifier === 'typebox' || specifier.startsWith('typebox/'))) {
      const name = specifier === 'typebox' ? 'index' : specifier.slice('typebox/'.length)
      return { url: new URL(`${name}.mjs`, BUNDLE).href, format: 'module', shortCircuit: true }
    }
    return next(specifier, context)
  },
})
