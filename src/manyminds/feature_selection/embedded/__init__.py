"""Ask trees and forests which columns they need."""
