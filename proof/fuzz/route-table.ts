/** Route table: the routes of an app by method and address, as Fastify prints them. */

/** Fastify draws a tree in which each line goes on with the address of the line above it that is one level out. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/

/** HEAD is left out: Fastify adds it to every GET. */
export const routesIn = (printed: string): string[] => {
  const parents: string[] = []
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, indent, part, methods = ''] = LINE.exec(line) ?? []
      // A line that cannot be read would hide its routes from the test.
      if (indent === undefined || part === undefined) throw new Error(`Fastify prints its routes in a new way: ${line}`)
      const depth = indent.length / 4
      const address = (parents[depth - 1] ?? '') + part
      parents[depth] = address
      return methods
        .split(', ')
        .flatMap((method) => (method === '' || method === 'HEAD' ? [] : [`${method} ${address}`]))
    })
    .toSorted()
}
