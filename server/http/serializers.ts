/** Serializers: Fastify's own compiler of answers, run once for each schema in a process. */
import serializerFactory from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

const compile = serializerFactory()()
const built = new WeakMap<object, ReturnType<typeof compile>>()

/** Building a serializer takes milliseconds; a process of tests makes hundreds of apps of the same calls. */
export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  const serialize = built.get(route.schema) ?? compile({ httpStatus: '', ...route })
  built.set(route.schema, serialize)
  return serialize
}
