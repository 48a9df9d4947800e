import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import type { DevTools, Fields } from './devTools.ts'

/** Folder of screenshots. */
const artefacts = '.artefacts/browser'

const keys: Readonly<Record<string, Fields>> = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
}

/** Browser page, operated by keyboard and screen. */
export class BrowserPage {
  /** Console errors: content security policy violations, failed and missing resources. */
  readonly complaints: string[] = []
  readonly #tools: DevTools
  readonly #session: string

  private constructor(tools: DevTools, session: string) {
    this.#tools = tools
    this.#session = session
    tools.listen(session, (method, params) => this.#noted(method, params))
  }

  /** Page in a context with separate cookies. */
  static async open(tools: DevTools): Promise<BrowserPage> {
    const { browserContextId } = await tools.send('Target.createBrowserContext')
    const target = { url: 'about:blank', browserContextId }
    const { targetId } = await tools.send('Target.createTarget', target)
    const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new BrowserPage(tools, String(sessionId))
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.#send(`${domain}.enable`)
    return page
  }

  async goTo(url: string): Promise<void> {
    await this.#send('Page.navigate', { url })
  }

  /** Value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    // The caller knows the type of its expression.
    return (result as { value: T }).value
  }

  /** Waits until the page is loaded and has this first heading. */
  async shows(heading: string): Promise<void> {
    const found = `document.readyState === 'complete' && document.querySelector('h1')?.textContent`
    await eventually(async () => {
      const text = await this.evaluate<string | false | undefined>(found)
      if (text !== heading) throw new Error(`the page is "${String(text)}", not "${heading}"`)
    })
  }

  async type(text: string): Promise<void> {
    await this.#send('Input.insertText', { text })
  }

  async press(key: 'Tab' | 'Enter'): Promise<void> {
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', ...keys[key] })
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...keys[key] })
  }

  async resize(width: number): Promise<void> {
    const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: false }
    await this.#send('Emulation.setDeviceMetricsOverride', metrics)
  }

  /** Takes a screenshot of the page. @returns its path. */
  async photograph(name: string): Promise<string> {
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png' })
    await mkdir(artefacts, { recursive: true })
    const path = join(artefacts, `${name}.png`)
    await writeFile(path, Buffer.from(String(data), 'base64'))
    return path
  }

  #send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#tools.send(method, params, this.#session)
  }

  #noted(method: string, params: Fields): void {
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params))
    if (method !== 'Log.entryAdded') return
    const { level, text, url } = params['entry'] as Record<string, string>
    if (level !== 'error') return
    // Browsers request it from every site.
    if (url?.endsWith('/favicon.ico') !== true) this.complaints.push(`${url}: ${text}`)
  }
}
