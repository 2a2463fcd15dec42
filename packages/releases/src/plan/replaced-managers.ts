/**
 * Field managers of Picchu. It names none, so the API server takes the first part of its User-Agent, which Go's client
 * makes of the program's file: `/manager` in its image, `picchu` in images before that layout, `main` by `go run`. Other
 * operators have a `/manager` too; what such a one has on an object of a release goes with Picchu's at the take-over.
 */
export const replacedManagers: readonly string[] = ["manager", "picchu", "main"];
