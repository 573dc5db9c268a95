import Type from 'typebox'
import { type App, enumField, limitStrangers, openConfig, STRANGER_LIMITS } from '../../../platform/http/index.ts'
import { brandNotFound } from '../listing/service.ts'
import type { CatalogStore } from '../loading/catalog-store.ts'
import { drawMonogram, IMAGE_SIZES, type ImageSize } from './monogram.ts'

const ImageParams = Type.Object({
  brand_uid: Type.String({ minLength: 1, maxLength: 255 }),
  file: enumField((Object.keys(IMAGE_SIZES) as ImageSize[]).map((size) => `${size}.svg` as const)),
})
const IMAGE = {
  description: 'An SVG image',
  content: { 'image/svg+xml': { schema: Type.String(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' } },
}
// A month, because an image changes only when its brand is renamed.
const CACHE_SECONDS = 30 * 86_400

/** Registers the public routes. Generated images appear on web pages, which have no API key. */
export function catalogPublicRoutes(
  app: App,
  deps: { readonly catalog: CatalogStore; readonly strangerCallsPerSecond?: number },
): void {
  app.get(
    '/images/brands/:brand_uid/:file',
    {
      onRequest: limitStrangers(deps.strangerCallsPerSecond, STRANGER_LIMITS.file),
      schema: {
        operationId: 'getBrandImage',
        summary: 'Get the generated image of a brand',
        description: "Generated from the brand's name, for brands without an image of their own.",
        tags: ['Brands'],
        security: [],
        params: ImageParams,
        response: { 200: IMAGE },
      },
      config: openConfig('GET', ['brand_not_found']),
    },
    async (request, reply) => {
      const brand = (await deps.catalog.current()).brands.get(request.params.brand_uid)
      if (brand === undefined) throw brandNotFound()
      return (
        reply
          .header('Content-Type', 'image/svg+xml; charset=utf-8')
          .header('Cache-Control', `public, max-age=${CACHE_SECONDS}`)
          // An SVG opened directly is a document, so this policy keeps it from loading or running anything.
          .header('Content-Security-Policy', "default-src 'none'; sandbox")
          .header('X-Content-Type-Options', 'nosniff')
          .header('Cross-Origin-Resource-Policy', 'cross-origin')
          .send(drawMonogram(brand.name, request.params.file.replace('.svg', '') as ImageSize))
      )
    },
  )
}
