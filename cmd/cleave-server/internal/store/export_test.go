package store

// OpenPostgres lets the tests of the package's users run against PostgreSQL.
var OpenPostgres = openPostgres
