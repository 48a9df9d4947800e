import { expect } from 'chai'
import { waitUntil } from '../../support/waitUntil.ts'
import { group, type ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

/** Pages of the platform: credentials, secrets, quotas, relations. */
export function platformSuite(opened: () => ConsoleBrowser): void {
  describe('The platform', () => {
    let browser: ConsoleBrowser
    let admin: ConsolePage

    before(async () => {
      browser = opened()
      await browser.call('POST', `${group}/projects`, {
        metadata: { name: 'market' },
        spec: {
          displayName: 'Market',
          quotas: { project: { pods: '10', 'limits.memory': '4Gi' } },
        },
      })
      for (const name of ['one', 'two'])
        await browser.call('POST', configMaps, { metadata: { name } })
      admin = await browser.signedIn()
      browser.keep(admin)
    })
    const at = (address: string, text: string) => browser.at(admin, address, text)
    const status = (key: string, path: string, method = 'GET') =>
      fetch(browser.server.insecureUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      }).then((response) => response.status)
    const secretOfDialog = () =>
      admin.evaluate<string>(`document.querySelector('[role=dialog] input').value`)

    it('counts the objects of each kind, all or in the chosen namespace', async () => {
      const count = async (path: string) => {
        const { items } = await browser.call<{ items: unknown[] }>('GET', path)
        return items.length
      }
      // A controller creates the config map with the CA certificate in each namespace; after that
      // the numbers are constant.
      await waitUntil(
        async () =>
          (await count('/api/v1/namespaces')) ===
          (await count('/api/v1/configmaps?fieldSelector=metadata.name=kube-root-ca.crt')),
      )
      await at('#/', 'Workloads')
      const counted = `[...document.querySelectorAll('.kind-counts li')]
        .find((each) => each.querySelector('a').hash === '#/k/core/v1/configmaps')?.lastChild.textContent`
      await admin.until(`${counted} === '${await count('/api/v1/configmaps')}'`)
      await admin.evaluate(`localStorage.setItem('console-namespace ', 'default')`)
      await admin.reload()
      await admin.shows('Namespace default')
      await admin.until(`${counted} === '${await count(configMaps)}'`)
      await admin.until(
        `![...document.querySelectorAll('.kind-counts')].some((each) => each.innerText.includes('–'))`,
      )
      await admin.evaluate(`localStorage.setItem('console-namespace ', '')`)
      await admin.reload()
      await admin.shows('All namespaces')
      expect(admin.complaints).to.deep.equal([])
    })

    it('builds the scope of an access key, and says in words what it allows', async () => {
      await at('#/keys', 'New key')
      await admin.click('New key')
      await admin.click('Only what I choose')
      await admin.shows('Nothing is chosen yet.')
      const button = `document.querySelector('[role=dialog] .button.main')`
      expect(await admin.evaluate(`${button}.disabled`)).to.equal(true)
      await admin.click('Requests')
      await admin.shows('get, list, watch every kind.')
      await admin.choose('Kind', '/configmaps')
      await admin.fill('[role=dialog] fieldset:last-of-type .field:last-child input', 'default')
      await admin.shows('get, list, watch configmaps in default.')
      await admin.click('Virtual cluster')
      expect(await admin.evaluate(`${button}.disabled`)).to.equal(true)
      await admin.click('Remove virtual cluster 2')
      await admin.click('Project')
      await admin.until(`document.querySelector('[role=dialog] datalist option[value=market]')`)
      await admin.fill('[role=dialog] input[list]', 'market')
      await admin.shows('Projects: market.')
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('Make the key')
      await admin.shows('Copy it now')
      const key = await secretOfDialog()
      await admin.click('Done')
      const answers = await Promise.all([
        status(key, configMaps),
        status(key, `${configMaps}/one`, 'DELETE'),
        status(key, '/api/v1/namespaces/default/secrets'),
        status(key, `${group}/projects/market`),
        status(key, `${group}/users`),
      ])
      expect(answers).to.deep.equal([200, 403, 403, 200, 403])
    })

    it('makes an endpoint token with a scope, shown once', async () => {
      await at('#/keys', 'Endpoint token')
      await admin.click('Endpoint token')
      await admin.choose('Valid for', '3600')
      await admin.click('Only read')
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('Make the token')
      await admin.shows('cannot be revoked on its own')
      const token = await secretOfDialog()
      const claims = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      ) as Record<string, number>
      expect((claims['exp'] ?? 0) - (claims['iat'] ?? 0)).to.equal(3600)
      expect(JSON.stringify(claims)).to.include('"verbs":["get","list","watch"]')
      await admin.click('Done')
      expect(await admin.text()).to.not.include(token)
    })

    it('shows the copies of a shared secret, and syncs one again at once', async () => {
      const domain = group.split('/')[2]?.replace('management.', '') ?? ''
      await browser.call('POST', `${group}/namespaces/default/sharedsecrets`, {
        metadata: { name: 'registry' },
        spec: { data: { password: 'aHVudGVyMg==' } },
      })
      await browser.call('POST', `${group}/namespaces/p-market/projectsecrets`, {
        metadata: {
          name: 'copy',
          labels: {
            [`${domain}/sharedsecret-name`]: 'registry',
            [`${domain}/sharedsecret-namespace`]: 'default',
          },
        },
      })
      await at('#/o/management.platform/v1/sharedsecrets/default/registry', 'Copied by')
      await admin.shows('ProjectSecret p-market/copy')
      await admin.shows('Secrets: none.')
      expect(await admin.violations()).to.deep.equal([])
      await at('#/o/management.platform/v1/projectsecrets/p-market/copy', 'Copy of')
      await admin.shows('default/registry')
      await admin.click('Sync now')
      await admin.shows('copy is being synced')
      const { metadata, spec } = await browser.call<{
        metadata: { annotations: Record<string, string> }
        spec: { data: object }
      }>('GET', `${group}/namespaces/p-market/projectsecrets/copy`)
      expect(metadata.annotations).to.include.keys(`${domain}/sync-requested-at`)
      expect(spec.data).to.deep.equal({ password: 'aHVudGVyMg==' })
    })

    let tries = 0

    it('names what refers to an object, of kinds that the user may list', async () => {
      const store = `store-${tries++}`
      const template = {
        metadata: { labels: { app: store } },
        spec: {
          containers: [{ name: 'c', image: 'nginx', envFrom: [{ configMapRef: { name: 'one' } }] }],
        },
      }
      await browser.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
        metadata: { name: store },
        spec: { selector: { matchLabels: { app: store } }, template },
      })
      await browser.call(
        'POST',
        '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        {
          metadata: { name: store },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: store },
          },
        },
      )
      // The card is missing for a moment while the page changes.
      const referencing = `([...document.querySelectorAll('section.card')].find((each) =>
        each.querySelector('h2')?.innerText === 'Referenced by')?.innerText ?? '')`
      await at('#/o/core/v1/configmaps/default/one?tab=related', 'Referenced by')
      await admin.until(`${referencing}.includes('Deployment ${store}')`)
      await at('#/o/core/v1/configmaps/default/two?tab=related', 'Referenced by')
      await admin.until(`${referencing}.includes('Nothing.')`)
      await at(`#/o/apps/v1/deployments/default/${store}?tab=related`, 'Referenced by')
      await admin.until(`${referencing}.includes('HorizontalPodAutoscaler ${store}')`)
      await admin.until(
        `[...document.querySelectorAll('main a')].some((each) => each.hash === '#/o/core/v1/configmaps/default/one')`,
      )
      expect(admin.complaints).to.deep.equal([])
    })

    it('shows quotas of projects and namespaces beside what is used, the fullest first', async () => {
      await browser.call('POST', '/api/v1/namespaces/default/resourcequotas', {
        metadata: { name: 'objects' },
        spec: { hard: { services: '0' } },
      })
      await at('#/metrics', 'Quotas')
      await admin.shows('Project Market')
      await admin.shows('pods: 0 of 10')
      await admin.shows('limits.memory: 0 of 4Gi')
      await admin.until(
        `document.querySelector('[aria-label=Quotas] h3')?.innerText === 'default/objects'`,
      )
      await admin.shows('used up')
      expect(await admin.violations()).to.deep.equal([])
      await browser.call('DELETE', '/api/v1/namespaces/default/resourcequotas/objects')
      await admin.lacks('default/objects')
    })
  })
}
