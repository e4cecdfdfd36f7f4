import type en from '../en/subscribers.ts'

export default {} satisfies typeof en
