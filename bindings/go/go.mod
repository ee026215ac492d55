// The path follows the repository's address: see RELEASING.md.
module github.com/OWNER/hashlanes/bindings/go

go 1.22
