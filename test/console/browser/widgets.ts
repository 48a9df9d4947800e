import { waitUntil } from '../../support/waitUntil.ts'
import type { ConsoleBrowser } from './consoleBrowser.ts'

/** Adds a custom kind with an additional column, and waits until it is served. */
export async function defineWidgets(browser: ConsoleBrowser): Promise<void> {
  await browser.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer' } } },
              },
            },
          },
        },
      ],
    },
  })
  await waitUntil(() =>
    browser.call('GET', '/apis/example.dev/v1/widgets').then(
      () => true,
      () => false,
    ),
  )
}
