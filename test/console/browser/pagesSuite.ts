import { expect } from 'chai'
import { group, type ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'
import { defineWidgets } from './widgets.ts'

const hostile = `"><img src=x onerror="window.stolen=1"><script>window.stolen=1</script>`

/** Every page, with its user actions. */
export function pagesSuite(opened: () => ConsoleBrowser): void {
  describe('Pages', () => {
    let browser: ConsoleBrowser
    let admin: ConsolePage

    before(async () => {
      browser = opened()
      await browser.call('POST', `${group}/projects`, {
        metadata: { name: 'shop' },
        spec: { displayName: 'Shop', description: hostile, quotas: { project: { pods: '10' } } },
      })
      await browser.call('POST', `${group}/namespaces/default/sharedsecrets`, {
        metadata: { name: 'registry' },
        spec: { displayName: hostile, data: { password: 'aHVudGVyMg==', [`k`]: '/w==' } },
      })
      await browser.call('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'settings', labels: { app: 'web' }, annotations: { note: hostile } },
        data: { html: hostile, link: 'javascript:window.stolen=1' },
      })
      await browser.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
        metadata: { name: 'web', labels: { app: 'web' } },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'c', image: 'nginx' }] },
          },
        },
      })
      await browser.call('POST', '/api/v1/namespaces/default/events', {
        metadata: { name: 'web.1' },
        involvedObject: { kind: 'Deployment', namespace: 'default', name: 'web' },
        reason: 'Tested',
        message: hostile,
        type: 'Warning',
      })
      admin = await browser.signedIn()
      browser.keep(admin)
    })
    beforeEach(() => (admin.complaints.length = 0))
    const at = (address: string, text: string) => browser.at(admin, address, text)

    const pages: [string, string][] = [
      ['#/', 'Workloads'],
      ['#/projects', 'Shop'],
      ['#/projects/shop', 'Recent events'],
      ['#/keys', 'New key'],
      ['#/config', 'Check and review'],
      ['#/docs', 'operations'],
      ['#/k/core/v1/configmaps', 'settings'],
      ['#/k/management.platform/v1/users', 'admin'],
      ['#/o/apps/v1/deployments/default/web', 'Specification'],
      ['#/o/apps/v1/deployments/default/web?tab=events', 'Tested'],
      ['#/o/apps/v1/deployments/default/web?tab=related', 'Owned by'],
      ['#/o/core/v1/configmaps/default/settings?tab=yaml', 'Review and save'],
      ['#/o/management.platform/v1/sharedsecrets/default/registry', 'Reveal'],
      ['#/new/core/v1/secrets', 'Review and create'],
      ['#/access?kind=core%2Fv1%2Fsecrets&verb=list', 'Superusers may do everything'],
      ['#/sync', '"host-" + value'],
      ['#/catalogue', 'VirtualClusterInstance'],
      ['#/catalogue/apps/v1/deployments', 'spec'],
      ['#/metrics', 'Open watches'],
      ['#/apps', 'No apps are offered yet'],
      ['#/audit', 'Audit'],
      ['#/components', 'Colors by role'],
      ['#/o/core/v1/configmaps/default/settings?tab=history', 'earlier version'],
      ['#/o/management.platform/v1/users/-/admin', 'Can reach'],
      ['#/k/core/v1/nothing', 'There is no such page'],
    ]
    for (const [address, text] of pages) {
      it(`${address} is accessible in light and dark, and at 360 px nothing is cut off`, async () => {
        for (const [scheme, width] of [
          ['light', 1280],
          ['dark', 360],
        ] as const) {
          await admin.resize(width)
          await admin.useScheme(scheme)
          await at(address, text)
          // The previous page may remain until this one is loaded, and this one has no heading
          // while it loads.
          await admin.settles()
          await admin.until("document.querySelector('main h1')")
          await admin.settles()
          expect(await admin.violations(), scheme).to.deep.equal([])
          const widest = await admin.evaluate<number>('document.documentElement.scrollWidth')
          expect(widest).to.be.at.most(width)
        }
        await admin.resize(1280)
        // Only the response shows that the server has no data store for audit events.
        const others = admin.complaints.filter((each) => !each.includes('/audit/events?'))
        expect(others).to.deep.equal([])
        expect(await admin.evaluate('window.stolen')).to.equal(undefined)
      })
    }

    it('asks no other host for anything', () => {
      const { origin } = new URL(browser.server.url)
      const others = admin.requests.filter(
        (request) => !new URL(request.slice(request.indexOf(' ') + 1)).href.startsWith(origin),
      )
      expect(others).to.deep.equal([])
    })

    it('edits an object: the dry run shows the change before it is stored', async () => {
      await at('#/o/core/v1/configmaps/default/settings?tab=yaml', 'Review and save')
      const { metadata, ...rest } = await browser.call<{ metadata: Record<string, unknown> }>(
        'GET',
        '/api/v1/namespaces/default/configmaps/settings',
      )
      delete metadata['managedFields']
      const object = { ...rest, metadata, data: { html: 'plain', colour: 'blue' } }
      await admin.fillEditor(JSON.stringify(object))
      await admin.click('Review and save')
      await admin.shows('would store the following')
      await admin.shows('colour: blue')
      const unchanged = await browser.call<{ data: object }>(
        'GET',
        '/api/v1/namespaces/default/configmaps/settings',
      )
      expect(Object.keys(unchanged.data)).to.include('link')
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('Save')
      await admin.shows('ConfigMap settings is stored.')
      const stored = await browser.call<{ data: object }>(
        'GET',
        '/api/v1/namespaces/default/configmaps/settings',
      )
      expect(stored.data).to.deep.equal({ html: 'plain', colour: 'blue' })
    })

    it('shows earlier versions with their changes, and undoes one', async () => {
      await at('#/o/core/v1/configmaps/default/settings?tab=history', 'Undo back to before')
      await admin.shows('colour: blue')
      await admin.click('Undo back to before')
      await admin.shows('would store the following')
      await admin.click('Save')
      await admin.shows('is stored')
      const { data } = await browser.call<{ data: object }>(
        'GET',
        '/api/v1/namespaces/default/configmaps/settings',
      )
      expect(Object.keys(data).sort()).to.deep.equal(['html', 'link'])
    })

    it('joins a change of someone else with the own one, and names fields that both changed', async () => {
      const path = '/api/v1/namespaces/default/configmaps/settings'
      await browser.call('PATCH', path, { data: { html: null, link: null, one: '1', two: '2' } })
      await at('#/o/core/v1/configmaps/default/settings?tab=yaml', 'Review and save')
      // Edits of an older version would be merged with this change as well.
      await admin.until(
        `document.querySelector('.editor')?.shadowRoot?.textContent.includes('two:')`,
      )
      const { metadata, ...rest } = await browser.call<{
        metadata: Record<string, unknown>
        data: object
      }>('GET', path)
      delete metadata['managedFields']
      await admin.fillEditor(
        JSON.stringify({ ...rest, metadata, data: { ...rest.data, one: 'mine', new: 'mine' } }),
      )
      await browser.call('PATCH', path, { data: { one: 'theirs', two: 'theirs' } })
      await admin.shows('has changed since you began to edit')
      await admin.click('Join the changes')
      await admin.shows('Both changed data.one')
      await admin.click('Review and save')
      await admin.shows('would store the following')
      await admin.click('Save')
      await admin.shows('is stored')
      const { data } = await browser.call<{ data: object }>('GET', path)
      expect(data).to.deep.equal({ one: 'mine', two: 'theirs', new: 'mine' })
    })

    it('applies a change, and overwrites fields of other managers one by one', async () => {
      const path = '/api/v1/namespaces/default/configmaps/shared'
      await browser.apply(path, 'first', { data: { a: '1', b: '1' } })
      await browser.apply(path, 'second', { data: { c: '1' } })
      await at('#/o/core/v1/configmaps/default/shared?tab=yaml', 'Review and save')
      await admin.until(`document.querySelector('.editor')?.shadowRoot?.textContent.includes('c:')`)
      const { metadata, ...rest } = await browser.call<{ metadata: Record<string, unknown> }>(
        'GET',
        path,
      )
      delete metadata['managedFields']
      const data = { a: 'mine', b: 'mine', c: 'mine', d: 'mine' }
      await admin.fillEditor(JSON.stringify({ ...rest, metadata, data }))
      await admin.click('Review and save')
      await admin.click('Apply, and ask before fields of other managers are changed')
      await admin.shows('owned by second')
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('Take over data.a')
      await admin.click('Keep theirs data.b')
      const button = `document.querySelector('[role=dialog] .button.main')`
      expect(await admin.evaluate(`${button}.disabled`)).to.equal(true)
      await admin.click('Keep theirs data.c')
      await admin.until(`!${button}.disabled`)
      await admin.click('Apply')
      await admin.shows('ConfigMap shared is stored.')
      const stored = await browser.call<{
        data: object
        metadata: { managedFields: { manager: string; fieldsV1: Record<string, object> }[] }
      }>('GET', path)
      expect(stored.data).to.deep.equal({ a: 'mine', b: '1', c: '1', d: 'mine' })
      const owned = stored.metadata.managedFields.map(({ manager, fieldsV1 }) => [
        manager,
        Object.keys(fieldsV1['f:data'] ?? {}).filter((key) => key !== '.'),
      ])
      expect(Object.fromEntries(owned)).to.deep.equal({
        console: ['f:a', 'f:d'],
        first: ['f:b'],
        second: ['f:c'],
      })
    })

    it('places errors of the server in the editor, and stores nothing', async () => {
      await at('#/new/core/v1/services?ns=default&as=yaml', 'Review and create')
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'broken', namespace: 'default' },
        spec: { ports: [{ port: 99_999 }], selector: { app: 'web' } },
      }
      await admin.fillEditor(JSON.stringify(service, undefined, 1))
      await admin.click('Review and create')
      await admin.shows('spec.ports[0].port')
      await admin.until(
        `document.querySelector('.editor').shadowRoot.querySelector('.cm-lintRange-error, .cm-lintPoint-error')`,
      )
      expect(
        await admin.evaluate(`document.querySelector('[role=dialog] .main').disabled`),
      ).to.equal(true)
    })

    it('creates from a form made from the schema: errors stand at their fields, and YAML and form are one text', async () => {
      // A separate page: input remains while only the query of an address changes.
      await at('#/catalogue', 'Catalogue')
      await at('#/new/core/v1/services?ns=default', 'Review and create')
      const field = (path: string) => `[id="field-${path}"]`
      await admin.fill(field('metadata.name'), 'formed')
      await admin.choose('Add a field to spec', 'ports')
      await admin.click('Add to ports')
      await admin.fill(field('spec.ports.0.port'), '99999')
      await admin.fill(field('spec.ports.0.targetPort'), 'http')
      await admin.choose('Add a field to spec', 'type')
      await admin.choose('type', 'NodePort')
      await admin.click('Review and create')
      await admin.shows('Back to the editor')
      await admin.shows('must be between 1 and 65535')
      await admin.click('Back to the editor')
      const problem = `document.querySelector(${JSON.stringify(field('spec.ports.0.port') + '[aria-invalid]')})`
      await admin.until(problem)
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('YAML')
      const text = await admin.editorText()
      expect(text).to.include('port: 99999').and.include('targetPort: http').and.include('NodePort')
      await admin.fillEditor(text.replace('99999', '80') + '\n# a comment\n')
      await admin.click('Form')
      await admin.until(`document.querySelector('${field('spec.ports.0.port')}')?.value === '80'`)
      await admin.fill(field('spec.ports.0.targetPort'), '8080')
      await admin.click('YAML')
      await admin.until(`document.querySelector('.editor')`)
      const whole = await admin.editorText()
      expect(whole).to.include('# a comment').and.include('targetPort: 8080')
      await admin.click('Review and create')
      await admin.shows('would store the following')
      await admin.click('Create')
      await admin.until(`location.hash.startsWith('#/o/core/v1/services/default/formed')`)
      const stored = await browser.call<{ spec: { type: string; ports: object[] } }>(
        'GET',
        '/api/v1/namespaces/default/services/formed',
      )
      expect([stored.spec.type, stored.spec.ports[0]]).to.deep.include('NodePort')
      expect(stored.spec.ports[0]).to.deep.include({ port: 80, targetPort: 8080, protocol: 'TCP' })
    })

    it('creates from YAML, scales, labels and deletes, each stored at once', async () => {
      const path = '/apis/apps/v1/namespaces/default/deployments/web'
      await at('#/o/apps/v1/deployments/default/web', 'Actions')
      await admin.click('Actions for web')
      await admin.click('Scale …')
      await admin.fill('#replicas', '4')
      await admin.click('Scale')
      await admin.shows('web is scaled to 4.')
      await admin.click('Actions for web')
      await admin.click('Edit labels …')
      await admin.fill('#labels', 'app=web\ntier=front')
      await admin.click('Save')
      await admin.shows('tier=front')
      const scaled = await browser.call<{
        spec: { replicas: number }
        metadata: { labels: object }
      }>('GET', path)
      expect([scaled.spec.replicas, scaled.metadata.labels]).to.deep.equal([
        4,
        { app: 'web', tier: 'front' },
      ])
      await admin.click('Actions for web')
      await admin.click('Delete …')
      await admin.shows('Objects that it owns are deleted with it.')
      await admin.click('Delete')
      await admin.shows('Deployment web is deleted.')
      await at('#/new/core/v1/configmaps?ns=default&as=yaml', 'Review and create')
      const made = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'made', namespace: 'default' },
      }
      await admin.fillEditor(JSON.stringify(made))
      await admin.click('Review and create')
      await admin.shows('name: made')
      await admin.click('Create')
      await admin.until(`location.hash.startsWith('#/o/core/v1/configmaps/default/made')`)
    })

    it('reveals a secret only when asked to, and shows bytes that are no text in base64', async () => {
      await at('#/o/management.platform/v1/sharedsecrets/default/registry', 'Reveal')
      expect(await admin.text()).to.not.include('hunter2')
      await admin.click('Reveal password')
      await admin.shows('hunter2')
      await admin.click('Hide password')
      await admin.lacks('hunter2')
      await admin.click('Reveal k')
      await admin.shows('/w==')
    })

    it('makes an access key, says what it allows, and shows it once', async () => {
      await at('#/keys', 'New key')
      await admin.click('New key')
      await admin.fill('#key-name', 'For the test')
      await admin.click('Only read')
      await admin.shows('get, list, watch every kind.')
      expect(await admin.violations()).to.deep.equal([])
      await admin.click('Make the key')
      await admin.shows('Copy it now')
      const key = await admin.evaluate<string>(
        `document.querySelector('[role=dialog] input').value`,
      )
      const send = (method: string, path: string) =>
        fetch(browser.server.insecureUrl + path, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method === 'POST' ? { body: '{"metadata":{"name":"no"}}' } : {}),
        }).then(({ status }) => status)
      expect(await send('GET', '/api/v1/namespaces/default/secrets')).to.equal(200)
      expect(await send('POST', '/api/v1/namespaces/default/secrets')).to.equal(403)
      await admin.click('Done')
      await admin.shows('For the test')
      expect(await admin.text()).to.not.include(key)
    })

    it('checks the configuration, shows the change, and puts it into effect', async () => {
      await at('#/config', 'Check and review')
      await admin.fillEditor('auth:\n  accessKeyMaxTTLSeconds: many\n')
      await admin.click('Check and review')
      await admin.shows('accessKeyMaxTTLSeconds')
      await admin.until(`document.querySelector('[role=alert]')`)
      await admin.fillEditor('auth:\n  loginAccessKeyTTLSeconds: 3600\n')
      await admin.click('Check and review')
      await admin.shows('found no error')
      await admin.click('Save')
      await admin.shows('stored and in effect')
      const { items } = await browser.call<{ items: { status: unknown }[] }>(
        'GET',
        `${group}/configs`,
      )
      expect(items[0]?.status).to.deep.include({ auth: { loginAccessKeyTTLSeconds: 3600 } })
    })

    it('calls an operation of the API with the session', async () => {
      await at('#/docs?group=apis%2Fmanagement.platform%2Fv1', 'operations')
      await admin.fill('input[aria-label="Search operations"]', 'get /projects')
      await admin.click('GET/apis/management.platform/v1/projects')
      await admin.click('Send')
      await admin.shows('"displayName": "Shop"')
    })

    it('explains each patch of a sync configuration while it is typed', async () => {
      await at('#/sync', 'Sync playground')
      await admin.shows('1 matched')
      await admin.shows('"gold" → "host-gold"')
      await admin.fillEditor(
        'sync:\n  toHost:\n    endpoints:\n      enabled: true\n      patches:\n      - path: metadata.annotations.tier\n        expression: value.toUpperCase()\n',
      )
      await admin.shows('"gold" → "GOLD"')
      await admin.fillEditor(
        'sync:\n  toHost:\n    endpoints:\n      patches:\n      - path: metadata[\n        expression: value\n',
      )
      await admin.until(`document.querySelector('[aria-label=Result] [role=alert]')`)
      expect(await admin.violations()).to.deep.equal([])
    })

    it('says which role and binding give a right, and what is missing otherwise', async () => {
      const key = await browser.user('asker')
      const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
      await browser.call('POST', `${rbac}/roles`, {
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
      })
      const { metadata } = await browser.call<{ metadata: { name: string } }>(
        'GET',
        `${group}/users/asker`,
      )
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      const self = (await fetch(
        `${browser.server.insecureUrl}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(review),
        },
      ).then((response) => response.json())) as { status: { userInfo: { username: string } } }
      expect(metadata.name).to.equal('asker')
      await browser.call('POST', `${rbac}/rolebindings`, {
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [
          {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'User',
            name: self.status.userInfo.username,
          },
        ],
      })
      const page = await browser.signedIn(key)
      await browser.at(page, '#/access?kind=core%2Fv1%2Fconfigmaps&verb=list&ns=default', 'Allowed')
      await page.shows('You may list config maps in default')
      await page.shows('Role reader')
      await page.shows('RoleBinding readers')
      await browser.at(page, '#/k/core/v1/secrets', 'Your account may not list secrets')
      await page.click('What is missing, and whom to ask')
      await page.shows('You may not list secrets in all namespaces')
      await page.shows('"secrets"')
      await page.shows('Ask an administrator of the platform')
      expect(await page.violations()).to.deep.equal([])
      expect(page.complaints).to.deep.equal([])
    })

    describe('with a custom definition', () => {
      before(() => defineWidgets(browser))

      it('lists its kind with its fields', async () => {
        await at('#/catalogue', 'Catalogue')
        await admin.reload()
        await at('#/catalogue/example.dev/v1/widgets', 'Widget')
        await admin.click('spec object')
        await admin.shows('size')
        await admin.shows('integer')
      })
    })

    it('shows what a user can reach: projects, teams, roles and single objects', async () => {
      await browser.user('reached')
      await browser.call('PATCH', `${group}/projects/shop`, {
        spec: {
          members: [
            {
              ...{ kind: 'User', group: 'management.platform', name: 'reached' },
              clusterRole: 'management-project-user',
            },
          ],
        },
      })
      await browser.call('PATCH', `${group}/namespaces/default/sharedsecrets/registry`, {
        spec: { access: [{ verbs: ['get'], users: ['reached'] }] },
      })
      await at('#/o/management.platform/v1/users/-/reached', 'Can reach')
      await admin.shows('sharedsecrets: get')
      await admin.until(
        `[...document.querySelectorAll('.facts a')].some((each) => each.hash === '#/projects/shop')`,
      )
    })

    it('offers the apps of the configuration, with a command that runs nothing else', async () => {
      const config = (apps: object) =>
        browser.call('POST', `${group}/configs`, {
          metadata: { name: 'config' },
          spec: { raw: Buffer.from(JSON.stringify(apps)).toString('base64') },
        })
      await config({
        apps: {
          predefinedApps: [
            {
              ...{ chart: "repo/it's; rm -rf /", title: 'Nice App!', initialVersion: '1.2.3' },
              ...{ initialValues: 'replicas: 2', readmeUrl: 'https://example.com/readme' },
            },
          ],
        },
      })
      await at('#/apps', 'Nice App!')
      expect(await admin.evaluate(`document.querySelector('main input.mono').value`)).to.equal(
        `helm install nice-app 'repo/it'\\''s; rm -rf /' --version 1.2.3`,
      )
      await admin.click('Values')
      await admin.shows('replicas: 2')
      expect(await admin.violations()).to.deep.equal([])
      await config({})
    })

    it('labels many objects at once, and names the one that was refused', async () => {
      const path = '/api/v1/namespaces/default/configmaps'
      for (const name of ['bulk-1', 'bulk-2', 'bulk-3'])
        await browser.call('POST', path, { metadata: { name, labels: { old: 'x' } } })
      await at('#/k/core/v1/configmaps?q=bulk-', '3 of')
      for (const name of ['bulk-1', 'bulk-2', 'bulk-3']) await admin.click(`Select ${name}`)
      await admin.shows('3 selected')
      await admin.click('Labels …')
      await admin.fill('#bulk-labels', 'tier=front\nold-')
      expect(await admin.violations()).to.deep.equal([])
      await browser.call('DELETE', `${path}/bulk-2`)
      await admin.click('Save')
      await admin.shows('3 of 3 stored')
      await admin.shows('bulk-2: configmaps "bulk-2" not found')
      const { items } = await browser.call<{
        items: { metadata: { name: string; labels?: object } }[]
      }>('GET', `${path}?labelSelector=tier%3Dfront`)
      expect(items.map(({ metadata }) => [metadata.name, metadata.labels])).to.deep.equal([
        ['bulk-1', { tier: 'front' }],
        ['bulk-3', { tier: 'front' }],
      ])
      await admin.click('Close')
      // The browser logs the refused request.
      admin.complaints.length = 0
    })

    it('names the managers of fields below the YAML', async () => {
      const path = '/api/v1/namespaces/default/configmaps/owned'
      await browser.apply(path, 'gitops', { data: { colour: 'blue' } })
      await at('#/o/core/v1/configmaps/default/owned?tab=yaml', 'Who set which field (1 manager)')
      await admin.click('Who set which field (1 manager)')
      await admin.shows('data.colour')
      await admin.shows('by apply')
      expect(await admin.violations()).to.deep.equal([])
    })

    it('goes to a kind by its short name and to an object by a part of its name', async () => {
      await at('#/', 'Workloads')
      await admin.press(':')
      await admin.until(`document.querySelector('[role=dialog] input')`)
      await admin.type('cm')
      await admin.shows('Config maps')
      expect(await admin.violations()).to.deep.equal([])
      await admin.press('Enter')
      await admin.until(`location.hash === '#/k/core/v1/configmaps'`)
      await admin.shows('settings')
      await admin.press('k', 2)
      await admin.until(`document.querySelector('[role=dialog] input')`)
      await admin.type('cm sett')
      await admin.shows('settings')
      await admin.until(`document.querySelectorAll('[role=dialog] [role=option]').length === 1`)
      await admin.press('Enter')
      await admin.until(`location.hash.startsWith('#/o/core/v1/configmaps/default/settings')`)
    })
  })
}
