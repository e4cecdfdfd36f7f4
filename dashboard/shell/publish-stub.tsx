export function PublishStub() {
  return null
}
