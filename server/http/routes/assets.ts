/** Routes of static files. */
import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'
import { acceptedEncoding, VARY_BY_ENCODING } from '../compression.ts'
import { sendNotFound } from '../errors.ts'
import { ASSET_HEADERS } from '../headers.ts'
import { ASSET_FOLDER, type PageBuild } from '../page-build.ts'
import type { PageAsset } from '../../store/page/page-asset-hmac.ts'
import type { FindStoredAsset } from '../stored-assets.ts'

const DEMO_FILES: Readonly<Record<string, string>> = { 'cover.jpg': 'image/jpeg', 'logo.png': 'image/png' }
const files = { config: { lane: 'files' } } as const
const AN_HOUR = 'public, max-age=3600'

const readDemoImages = async (): Promise<Map<string, PageAsset>> => {
  const images = new Map<string, PageAsset>()
  for (const [name, mediaType] of Object.entries(DEMO_FILES)) {
    const bytes = await readFile(new URL(`../../demo/${name}`, import.meta.url))
    images.set(name, { bytes, mediaType, compressed: {} })
  }
  return images
}

interface AssetOptions {
  readonly build: PageBuild
  /** Files of pages that other releases have drawn. */
  readonly findStoredAsset: FindStoredAsset
}

/** Built files under names that carry their hash, and the demo merchant's two pictures. An unknown one is a plain 404. */
export const assetRoutes: FastifyPluginAsync<AssetOptions> = async (app, { build, findStoredAsset }) => {
  const demoImages = await readDemoImages()

  app.get<{ Params: { '*': string } }>(`${ASSET_FOLDER}*`, files, async (request, reply) => {
    const name = request.params['*']
    const asset = build.assets.get(ASSET_FOLDER + name) ?? (await findStoredAsset(name))
    if (asset === null) return sendNotFound(reply)
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    const compressed = encoding === undefined ? undefined : asset.compressed[encoding]
    reply.headers({ ...ASSET_HEADERS, ...VARY_BY_ENCODING }).type(asset.mediaType)
    if (encoding === undefined || compressed === undefined) return reply.send(asset.bytes)
    return reply.header('content-encoding', encoding).send(compressed)
  })

  app.get<{ Params: { name: string } }>('/demo/:name', files, async (request, reply) => {
    const image = demoImages.get(request.params.name)
    if (image === undefined) return sendNotFound(reply)
    return reply
      .headers({ ...ASSET_HEADERS, 'cache-control': AN_HOUR })
      .type(image.mediaType)
      .send(image.bytes)
  })
}
