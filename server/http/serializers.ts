/** Serializers: what writes an answer by its schema. One is built for all routes whose answers have the same shape. */
import fastify, { type FastifySerializerCompiler } from 'fastify'

type Serialize = (answer: unknown) => string

/** A description is for readers: nothing of it is written into an answer. A field of that name is an object and stays. */
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  )

/** Fastify's own compiler, which it hands out as soon as a route has used it. */
const compilerOfFastify = async (): Promise<
  (route: Parameters<FastifySerializerCompiler<unknown>>[0]) => Serialize
> => {
  const app = fastify()
  app.get('/', { schema: { response: { 200: { type: 'null' } } } }, async () => null)
  await app.ready()
  if (app.serializerCompiler === undefined) throw new Error('Fastify has built no serializer')
  return app.serializerCompiler
}

/** Building one takes milliseconds, and most routes give the same dozen errors: without this a start takes half a second more. */
export const buildOnceByShape = async (): Promise<FastifySerializerCompiler<unknown>> => {
  const compile = await compilerOfFastify()
  const built = new Map<string, Serialize>()
  return (route) => {
    const shape = shapeOf(route.schema)
    const serialize = built.get(shape) ?? compile(route)
    built.set(shape, serialize)
    return serialize
  }
}

let shared: ReturnType<typeof buildOnceByShape> | null = null

/** The same for every app of a process. */
export const serializerCompiler = (): ReturnType<typeof buildOnceByShape> => (shared ??= buildOnceByShape())
