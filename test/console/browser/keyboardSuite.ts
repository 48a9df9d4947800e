import { expect } from 'chai'
import { adminPassword, group, type ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'

/** Name of the focused element, as a screen reader says it. */
const focused = `(() => {
  const at = document.activeElement
  return at.ariaLabel ?? at.labels?.[0]?.textContent.trim() ?? at.textContent.trim()
})()`
/** Whether the focus can be seen: an outline or a ring. */
const isVisible = `(() => {
  const at = document.activeElement
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
  const row = at.matches('input') ? getComputedStyle(at.parentElement) : undefined
  return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none' ||
    (row !== undefined && row.boxShadow !== 'none')
})()`

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

    /** Presses Tab until the focus is on the control with this name; each focus on the way has to be visible. */
    async function tabTo(name: string, modifiers = 0): Promise<void> {
      for (let step = 0; step < 120; step++) {
        if ((await page.evaluate<string>(focused)) === name) return
        await page.press('Tab', modifiers)
        const [where, seen] = [
          await page.evaluate<string>(focused),
          await page.evaluate<boolean>(isVisible),
        ]
        expect(seen, `the focus on "${where}" is visible`).to.equal(true)
      }
      throw new Error(
        `Tab does not reach "${name}", but stands on "${await page.evaluate<string>(focused)}"`,
      )
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
