/**
 * Writes screenshots of the main pages into docs/images/console, in light and dark mode and with
 * three widths.
 */
import { mkdirSync } from 'node:fs'
import { ConsoleBrowser, group } from '../browser/consoleBrowser.ts'

const folder = 'docs/images/console'
const widths = [1280, 768, 360]

const pages: readonly (readonly [name: string, address: string, text: string])[] = [
  ['overview', '#/', 'Shop'],
  ['table', '#/k/core/v1/configmaps', 'currencies'],
  ['object', '#/o/apps/v1/deployments/shop/web', 'Specification'],
  ['form', '#/new/core/v1/services?ns=shop', 'Review and create'],
  ['project', '#/projects/shop', 'Recent events'],
  ['keys', '#/keys', 'New key'],
  ['history', '#/o/apps/v1/deployments/shop/web?tab=history', 'Undo'],
  ['sync', '#/sync', '1 matched'],
  ['components', '#/components', 'Colors by role'],
  ['related', '#/o/core/v1/configmaps/shop/features?tab=related', 'Deployment web'],
  ['metrics', '#/metrics', '/s'],
]

async function fill(browser: ConsoleBrowser): Promise<void> {
  await browser.call('POST', `${group}/projects`, {
    metadata: { name: 'shop' },
    spec: { displayName: 'Shop', description: 'The web shop', quotas: { project: { pods: '10' } } },
  })
  await browser.call('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  const names = ['catalogue', 'checkout', 'currencies', 'features', 'languages', 'limits']
  for (const name of [...names, 'mail', 'orders', 'prices', 'search', 'taxes', 'web'])
    await browser.call('POST', '/api/v1/namespaces/shop/configmaps', {
      metadata: { name, labels: { app: 'shop' } },
      data: { key: 'value' },
    })
  await browser.user('jane')
  await browser.call('PATCH', `${group}/projects/shop`, {
    spec: {
      members: [
        {
          ...{ kind: 'User', group: 'management.platform', name: 'jane' },
          clusterRole: 'management-project-admin',
        },
      ],
    },
  })
  await browser.call('POST', `${group}/namespaces/p-shop/virtualclusterinstances`, {
    metadata: { name: 'staging' },
    spec: { displayName: 'Staging' },
  })
  const labels = { app: 'web' }
  await browser.call('POST', '/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name: 'web', labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              ...{ name: 'web', image: 'registry.example.com/web:1.4' },
              envFrom: [{ configMapRef: { name: 'features' } }],
            },
          ],
        },
      },
    },
  })
  await browser.call('PATCH', '/apis/apps/v1/namespaces/shop/deployments/web', {
    spec: { replicas: 5 },
  })
}

async function main(): Promise<void> {
  const browser = await ConsoleBrowser.open()
  if (browser === undefined) throw new Error('no chromium on PATH')
  try {
    await fill(browser)
    const page = await browser.signedIn(browser.server.adminAccessKey, 'shop')
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 4, y: 4 })
    for (const scheme of ['light', 'dark'] as const)
      for (const [name, address, text] of pages) {
        await page.useScheme(scheme)
        await browser.at(page, address, text)
        await page.settles()
        for (const width of widths) {
          await page.resize(width, 600)
          await page.settles()
          mkdirSync(`${folder}/${name}`, { recursive: true })
          await page.photograph(`${folder}/${name}/${scheme}-${width}.png`)
        }
      }
  } finally {
    await browser.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  },
)
