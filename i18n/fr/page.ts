import type en from '../en/page.ts'

export default {} satisfies typeof en
