import { expect } from 'chai'
import { adminPassword, group, type ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'

/** Name of the focused element, as read by a screen reader. */
const focused = `(() => {
  const at = document.activeElement
  return at.ariaLabel ?? at.labels?.[0]?.textContent.trim() ?? at.textContent.trim()
})()`
/**
 * Expression: the focus is visible, by an outline or a ring. After the last control the browser
 * itself has the focus.
 */
const isVisible = `(() => {
  const at = document.activeElement
  if (at === document.body) return true
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
  const row = at.matches('input') ? getComputedStyle(at.parentElement) : undefined
  return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none' ||
    (row !== undefined && row.boxShadow !== 'none')
})()`

const inEditor = `document.activeElement?.matches('.editor')`

/** The main flows without a mouse. */
export function keyboardSuite(opened: () => ConsoleBrowser): void {
  describe('By keyboard alone', () => {
    let browser: ConsoleBrowser
    let page: ConsolePage

    before(async () => {
      browser = opened()
      await browser.call('POST', `${group}/namespaces/default/sharedsecrets`, {
        metadata: { name: 'by-keys' },
        spec: { data: { password: 'aHVudGVyMg==' } },
      })
      page = await browser.page()
      browser.keep(page)
      await page.useScheme('light')
      await page.goTo(`${browser.server.url}/console/`)
      await page.until(`document.activeElement?.id === 'username'`)
      await page.evaluate(`localStorage.setItem('console-namespace ', 'default')`)
    })

    /**
     * Presses Tab until the control with this name has the focus, which has to be visible at each
     * step.
     */
    const tabTo = (name: string, modifiers = 0) =>
      tabUntil(`${focused} === ${JSON.stringify(name)}`, modifiers)

    async function tabUntil(isThere: string, modifiers = 0): Promise<void> {
      let at = await focusNow(isThere)
      for (let step = 0; !at.isThere; step++) {
        if (step === 120)
          throw new Error(`Tab does not reach ${isThere}, but stands on "${at.name}"`)
        // Tab indents in the editor; after Escape it leaves the editor.
        if (at.isInEditor) await page.press('Escape')
        await page.press('Tab', modifiers)
        at = await focusNow(isThere)
        expect(at.isSeen, `the focus on "${at.name}" is visible`).to.equal(true)
      }
    }

    const focusNow = (isThere: string) =>
      page.evaluate<{ isThere: boolean; name: string; isSeen: boolean; isInEditor: boolean }>(
        `({ isThere: ${isThere}, name: ${focused}, isSeen: ${isVisible}, isInEditor: ${inEditor} })`,
      )

    /** Opens the menu of a button and moves to an entry. */
    async function inMenu(button: string, entry: string): Promise<void> {
      await tabTo(button)
      await page.press('Enter')
      await page.until(`document.activeElement.closest('[role=menu]')`)
      for (let step = 0; (await page.evaluate<string>(focused)) !== entry; step++) {
        if (step === 20) throw new Error(`no entry "${entry}"`)
        await page.press('ArrowDown')
      }
      expect(await page.evaluate(isVisible), `the focus on "${entry}" is visible`).to.equal(true)
      expect(await page.violations()).to.deep.equal([])
    }

    async function go(words: string, hash: string): Promise<void> {
      await page.press('k', 2)
      await page.until(`document.activeElement.matches('[role=dialog] input')`)
      await page.type(words)
      await page.until(`document.querySelector('[role=dialog] [role=option][data-active-item]')`)
      await page.settles()
      await page.press('Enter')
      await page.until(`location.hash.startsWith(${JSON.stringify(hash)})`)
      await page.until(`document.querySelector('main h1')`)
      await page.settles()
    }

    it('signs in', async () => {
      await page.type('admin')
      await page.press('Tab')
      await page.type(adminPassword)
      await page.press('Enter')
      await page.shows('Overview')
    })

    it('skips the menu, and comes to a page by the palette', async () => {
      await page.press('Tab')
      await page.until(`${focused} === 'Skip to the page'`)
      expect(await page.evaluate(isVisible)).to.equal(true)
      await page.press('Enter')
      await page.until(`document.activeElement.classList.contains('page')`)
      await go('access keys', '#/keys')
    })

    it('creates an object with the form', async () => {
      await go('cm', '#/k/core/v1/configmaps')
      await page.press('n')
      await page.until(`location.hash.startsWith('#/new/core/v1/configmaps')`)
      await page.until(`document.getElementById('field-metadata.name')`)
      await tabTo('Review and create')
      for (let step = 0; step < 30; step++) {
        if (await page.evaluate<boolean>(`document.activeElement.id === 'field-metadata.name'`))
          break
        await page.press('Tab')
      }
      await page.press('a', 2)
      await page.type('typed')
      await tabTo('Review and create', 8)
      await page.press('Enter')
      await page.shows('would store the following')
      await tabTo('Create')
      await page.press('Enter')
      await page.until(`location.hash.startsWith('#/o/core/v1/configmaps/default/typed')`)
      await page.shows('Object')
    })

    it('edits an object and stores it', async () => {
      await page.press('e')
      await page.shows('Review and save')
      await page.until(
        `document.querySelector('.editor')?.shadowRoot?.textContent.includes('typed')`,
      )
      await tabUntil(inEditor)
      await page.press('a', 2)
      await page.type(
        JSON.stringify({
          ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { colour: 'blue' } },
          metadata: { name: 'typed', namespace: 'default' },
        }),
      )
      await tabTo('Review and save')
      await page.press('Enter')
      await page.shows('would store the following')
      await tabTo('Save')
      await page.press('Enter')
      await page.shows('ConfigMap typed is stored.')
      const { data } = await browser.call<{ data: object }>(
        'GET',
        '/api/v1/namespaces/default/configmaps/typed',
      )
      expect(data).to.deep.equal({ colour: 'blue' })
    })

    it('deletes an object after a question, to which Escape says no', async () => {
      await inMenu('Actions for typed', 'Delete …')
      await page.press('Enter')
      await page.shows('Delete ConfigMap typed?')
      await page.press('Escape')
      await page.lacks('Delete ConfigMap typed?')
      await browser.call('GET', '/api/v1/namespaces/default/configmaps/typed')
      await inMenu('Actions for typed', 'Delete …')
      await page.press('Enter')
      await page.until(`document.activeElement.closest('[role=dialog]')`)
      await tabTo('Delete')
      await page.press('Enter')
      await page.shows('ConfigMap typed is deleted.')
      await page.until(`location.hash.startsWith('#/k/core/v1/configmaps')`)
    })

    it('chooses columns, and returns to the button', async () => {
      await go('configmaps', '#/k/core/v1/configmaps')
      const heads = `[...document.querySelectorAll('thead button')].map((each) => each.innerText.trim())`
      await page.until(`${heads}.includes('Age')`)
      await inMenu('Columns', 'Age')
      await page.press('Enter')
      await page.until(`!${heads}.includes('Age')`)
      await page.press('Escape')
      await page.until(`${focused} === 'Columns'`)
    })

    it('makes an access key', async () => {
      await go('access keys', '#/keys')
      await tabTo('New key')
      await page.press('Enter')
      await page.until(`document.activeElement.closest('[role=dialog]')`)
      await tabTo('What it is for')
      await page.type('By keys')
      await tabTo('Make the key')
      await page.press('Enter')
      await page.shows('Copy it now')
      await page.press('Escape')
      await page.shows('By keys')
    })

    it('reveals a secret', async () => {
      await go('sharedsecrets by-keys', '#/o/management.platform/v1/sharedsecrets/default/by-keys')
      await page.until(`document.querySelector('[aria-label="Reveal password"]')`)
      await tabTo('Reveal password')
      await page.press('Enter')
      await page.shows('hunter2')
    })
  })
}
